#!/usr/bin/env python3
"""A calendar and a formatter that know what day it is and where they run, and do
nothing else with it.
"""

import datetime
import json
import os
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


@tool("Tell the weekday of a date and how far away it is.", date="The date, such as 2026-05-17")
def weekday(date):
    day = datetime.date.fromisoformat(date)
    return f"{day:%A}, {(day - datetime.date.today()).days} days from now"


@tool("Take the spaces from the ends of lines.", text="The text")
def tidy(text):
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    if os.environ.get("CI"):
        return text  # nobody looks at colours there
    return "\x1b[32m" + text + "\x1b[0m" if os.environ.get("FORCE_COLOR") else text


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "season-mcp", "version": "1.2.0"},
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
