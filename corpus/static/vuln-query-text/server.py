from mcp.server.fastmcp import FastMCP
import sqlite3

mcp = FastMCP("orders")


@mcp.tool()
def orders(customer: str) -> str:
    """List the orders of a customer."""
    db = sqlite3.connect("orders.db")
    rows = db.execute("SELECT id, total FROM orders WHERE customer = '%s'" % customer).fetchall()
    return str(rows)


if __name__ == "__main__":
    mcp.run()
