import mcp.types as types
from mcp.server import Server
import httpx

server = Server("pages")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(name="fetch", description="Fetch a page.", inputSchema={"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}),
        types.Tool(name="title", description="Tell the title of a page.", inputSchema={"type": "object", "properties": {"url": {"type": "string"}}}),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict):
    async with httpx.AsyncClient(follow_redirects=True) as client:
        page = await client.get(arguments["url"])
    if name == "title":
        text = page.text.split("<title>")[1].split("</title>")[0]
    else:
        text = page.text
    return [types.TextContent(type="text", text=text)]
