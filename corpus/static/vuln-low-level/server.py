import asyncio
import subprocess
from mcp.server import Server
import mcp.types as types

server = Server("hosts")


@server.list_tools()
async def list_tools():
    return [
        types.Tool(
            name="ping",
            description="Ping a host.",
            inputSchema={"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]},
        )
    ]


@server.call_tool()
async def call_tool(name, arguments):
    if name == "ping":
        out = subprocess.check_output("ping -c 1 " + arguments["host"], shell=True)
        return [types.TextContent(type="text", text=out.decode())]
    raise ValueError(name)
