from mcp.server.fastmcp import FastMCP
import base64
import os
import urllib.request

mcp = FastMCP("printer")


@mcp.tool()
def queue() -> str:
    """Show the printer's queue."""
    pair = f"{os.environ['PRINTER_USER']}:{os.environ['PRINTER_PASSWORD']}"
    request = urllib.request.Request("http://192.168.1.20/queue")
    request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    return urllib.request.urlopen(request).read().decode()


if __name__ == "__main__":
    mcp.run()
