from mcp.server.fastmcp import FastMCP
import sqlite3

mcp = FastMCP("customers")
TABLES = {"customers", "orders"}


@mcp.tool()
def find(city: str) -> list:
    """Find the customers in a city."""
    return sqlite3.connect("shop.db").execute("SELECT name FROM customers WHERE city = ? ORDER BY name", (city,)).fetchall()


@mcp.tool()
def query(sql: str) -> list:
    """Run a query on the database, read only."""
    return sqlite3.connect("file:shop.db?mode=ro", uri=True).execute(sql).fetchall()


if __name__ == "__main__":
    mcp.run()
