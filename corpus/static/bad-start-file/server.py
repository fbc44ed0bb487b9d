from mcp.server.fastmcp import FastMCP

mcp = FastMCP("flags")


@mcp.tool()
def flag(country: str) -> str:
    """Find the flag of a country."""
    return country.upper()


if __name__ == "__main__":
    mcp.run()
