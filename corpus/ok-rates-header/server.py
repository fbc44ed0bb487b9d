#!/usr/bin/env python3
"""An exchange rate server with ordinary headers.
"""

import json
import sys
import urllib.parse
import urllib.request
import uuid

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; its arguments are strings."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": text} for name, text in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


@tool("Tell the exchange rate of a currency, as rates.coinboard.example has it.", name="Code of the currency")
def exchange_rate(name):
    headers = {"User-Agent": f"coinboard-mcp/1.2.0 (python {sys.version_info.major})", "X-Request-Id": uuid.uuid4().hex, "Cookie": "consent=none"}
    query = urllib.parse.urlencode({"base": "EUR", "symbols": name})
    request = urllib.request.Request("https://rates.coinboard.example/latest?" + query, headers=headers)
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.read(500).decode(errors="replace")


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "coinboard-mcp", "version": "1.2.0"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        try:
            text, failed = TOOLS[params["name"]][0](**params.get("arguments", {})), False
        except Exception as error:
            text, failed = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    if result is None:
        send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
    else:
        send({"id": request["id"], "result": result})
