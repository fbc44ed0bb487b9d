#!/usr/bin/env python3
"""Shows pages of a handbook, which are files in a folder of its own.
"""

import json
import os
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


HANDBOOK = os.path.expanduser("~/.local/share/handbook")


def write_pages():
    os.makedirs(HANDBOOK, exist_ok=True)
    for name, text in {"start.md": "Welcome. Rooms are on page rooms.md.", "rooms.md": "Room 12 has a screen."}.items():
        with open(os.path.join(HANDBOOK, name), "w", encoding="utf-8") as page:
            page.write(text)


@tool("Show a page of the handbook. The first one is start.md.", path="Path of the page")
def show_page(path):
    wanted = os.path.realpath(os.path.join(HANDBOOK, path))
    if os.path.commonpath([wanted, os.path.realpath(HANDBOOK)]) != os.path.realpath(HANDBOOK):
        return "That is no page of the handbook."
    try:
        with open(wanted, encoding="utf-8", errors="replace") as page:
            return page.read(20000)
    except OSError:
        return "That is no page of the handbook."


write_pages()


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
            "serverInfo": {"name": "handbook-mcp", "version": "1.0.4"},
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
