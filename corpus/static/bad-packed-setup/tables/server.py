from mcp.server.fastmcp import FastMCP

mcp = FastMCP("tables")


@mcp.tool()
def columns(table: str) -> list[str]:
    """Name the columns of a table."""
    return table.split(",")


if __name__ == "__main__":
    mcp.run()
