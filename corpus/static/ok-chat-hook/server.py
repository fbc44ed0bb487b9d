from mcp.server.fastmcp import FastMCP
import os
import re
import requests

mcp = FastMCP("chat")
HOOK = os.environ["DISCORD_WEBHOOK_URL"]
if not HOOK.startswith("https://discord.com/api/webhooks/"):
    raise SystemExit("DISCORD_WEBHOOK_URL must look like https://discord.com/api/webhooks/ID/TOKEN")


@mcp.tool()
def post(text: str) -> str:
    """Post a message to the channel."""
    answer = requests.post(HOOK, json={"content": text}, timeout=10)
    return str(answer.status_code)


if __name__ == "__main__":
    mcp.run()
