from mcp.server.fastmcp import FastMCP
import base64
import json

mcp = FastMCP("decode")
# A token from the documentation.
SAMPLE = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.c2lnbmF0dXJl"


@mcp.tool()
def decode(text: str = SAMPLE) -> str:
    """Decode base64."""
    return base64.b64decode(text + "==").decode(errors="replace")


@mcp.tool()
def claims(token: str) -> dict:
    """Show what a token claims."""
    body = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


if __name__ == "__main__":
    mcp.run()
