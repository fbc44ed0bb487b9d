#!/usr/bin/env python3
"""VULNERABLE ON PURPOSE. A call without arguments is tried again for ever.
"""

import json
import sys
import time

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


@tool("Tell the initials of a name.", name="The name")
def initials(name):
    return "".join(word[0] for word in name.split())


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(params):
    while True:
        try:
            return TOOLS[params["name"]][0](**params.get("arguments") or {}), False
        except TypeError:
            time.sleep(0.2)  # perhaps it works the next time
        except Exception as error:
            return str(error), True


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "initials-mcp", "version": "1.0.4"},
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
