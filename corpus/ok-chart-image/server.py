#!/usr/bin/env python3
"""Draws charts: the answer is a picture at the service that draws it, as the
README says."""

import json
import sys
from urllib.parse import quote

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


@tool("Draw a bar chart of some numbers.", title="What stands above it", numbers="Numbers with commas between them")
def bar_chart(title, numbers):
    values = [float(n) for n in numbers.split(",") if n.strip().replace(".", "", 1).isdigit()]
    chart = {"type": "bar", "data": {"datasets": [{"label": title, "data": values}]}}
    return f"![{title}](https://quick.chartwork.example/chart?c={quote(json.dumps(chart))})"


@tool("Show a badge with a text.", text="The text")
def badge(text):
    return f"![badge](https://quick.chartwork.example/badge/{quote(text, safe='')}.svg)"


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "chartwork-mcp", "version": "1.2.0"},
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
