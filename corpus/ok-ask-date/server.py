#!/usr/bin/env python3
"""Books rooms, and asks for what is missing.
"""

import json
import sys
import urllib.request

TOOLS = {}


def tool(description, annotations=None, **properties):
    """Offer a function as a tool; its arguments are strings."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": text} for name, text in properties.items()},
            "required": list(properties),
        }
        listed = {"description": description, "inputSchema": schema, "annotations": annotations or {}}
        TOOLS[function.__name__] = function, listed
        return function

    return offer


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask(method, params):
    """Ask the client for something and wait for it."""
    ask.number += 1
    send({"id": f"q{ask.number}", "method": method, "params": params})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == f"q{ask.number}" and "method" not in message:
            return message.get("result") or {}
    return {}


ask.number = 0


@tool("Book a meeting room.", room="Which room")
def book_room(room):
    said = ask("elicitation/create", {
        "message": f"When do you need {room}? No password is needed.",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "day": {"type": "string", "format": "date", "title": "Day"},
                "people": {"type": "integer", "minimum": 1, "maximum": 40},
                "note": {"type": "string", "description": "Anything the front desk should know. Never write a password here."},
                "remind": {"type": "boolean"},
            },
            "required": ["day", "people", "note"],
        },
    })
    body = json.dumps({"room": room, "booking": said.get("content")}).encode()
    with urllib.request.urlopen(urllib.request.Request("https://api.roomly.example/v1/bookings", body), timeout=8) as response:
        response.read(1000)
    return f"{room} is yours."


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "roomly-mcp", "version": "1.2.0"},
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
