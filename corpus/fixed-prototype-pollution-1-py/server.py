#!/usr/bin/env python3
"""Describes the figures of a game.
"""

import json
import sys

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; an argument of which there is only a text is a string."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": about} if isinstance(about, str) else about for name, about in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


class Avatar:
    """A figure as it starts."""

    def __init__(self):
        self.hat, self.coat = "none", "grey"

    def look(self):
        shown = {**{name: value for name, value in vars(type(self)).items() if isinstance(value, str) and "_" not in name}, **vars(self)}
        return ", ".join(f"{name} {value}" for name, value in shown.items())


def change(thing, changes):
    for name, value in changes.items():
        if name not in ("hat", "coat") or not isinstance(value, str):
            raise ValueError("There is no such attribute.")
        setattr(thing, name, value)


@tool("Change how your avatar looks. Returns it, and a new one beside it.", changes="Attributes to change, as JSON")
def dress(changes):
    mine = Avatar()
    try:
        change(mine, json.loads(changes))
    except (ValueError, AttributeError, TypeError):
        return "Changes are a JSON object, such as {\"hat\": \"red\"}."
    return f"{mine.look()} / {Avatar().look()}"


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
            "serverInfo": {"name": "avatars-mcp", "version": "1.0.4"},
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
