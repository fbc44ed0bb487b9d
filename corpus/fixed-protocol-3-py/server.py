#!/usr/bin/env python3
"""Lists in lists that are too deep are refused.
"""

import json
import sys

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


@tool("Turn a text round.", text="The text")
def turn_round(text):
    return text[::-1]


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(params):
    try:
        return TOOLS[params["name"]][0](**params.get("arguments") or {}), False
    except Exception as error:
        return str(error), True


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "mirror-mcp", "version": "1.0.4"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        text, failed = call(params)
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


def serve(line):
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": {"code": -32700, "message": "Parse error"}}
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return {"id": None, "error": {"code": -32600, "message": "Invalid Request"}}
    if not isinstance(request.get("id"), (int, str)):
        return None
    params = request.get("params")
    result = answer(request["method"], params if isinstance(params, dict) else {})
    if result is None:
        return {"id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"id": request["id"], "result": result}


for line in sys.stdin.buffer:
    if reply := serve(line):
        send(reply)
