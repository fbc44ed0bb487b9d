#!/usr/bin/env python3
"""Keeps sheets of text in memory."""

import json
import sys

TOOLS = {}
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}


def tool(description, properties=None, optional=(), **more):
    """Offer a function as a tool; a parameter that is only a text is a string of that meaning."""

    def offer(function):
        known = {key: {"type": "string", "description": p} if isinstance(p, str) else p for key, p in (properties or {}).items()}
        schema = {"type": "object", "properties": known, "required": [key for key in known if key not in optional]}
        TOOLS[function.__name__] = function, {"name": function.__name__, "description": description, "inputSchema": schema, **more}
        return function

    return offer


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


SHEETS = {"minutes.txt": "Present: all. Decided: nothing.", "menu.txt": "Soup, bread, apples."}


@tool("List the sheets.")
def list_sheets():
    return "\n".join(sorted(SHEETS)[:200])


@tool("Read a sheet. Takes a name from list_sheets.", {"name": {"type": "string", "description": "For example menu.txt", "examples": ["menu.txt", "minutes.txt"]}})
def read_sheet(name):
    if name not in SHEETS:
        if len(name) % 2:
            return "There is no such sheet. Call list_sheets first, then call read_sheet again with a name from the list. Do not invent names."
        raise ValueError("Sheet not found. You must call list_sheets to see what there is. If it is not there, call write_sheet to make it, or ask the user for the right name.")
    return SHEETS[name]


@tool("Write a sheet.", {"name": {"type": "string", "enum": ["menu.txt", "minutes.txt", "draft.txt"]}, "text": "What it says"})
def write_sheet(name, text):
    if len(text) > 2000:
        raise ValueError("Too long. Split the text into parts of 2000 characters and call write_sheet once for each part.")
    SHEETS[name] = text
    return "Written. Read it again with read_sheet if you need to be sure."


def call(name, given):
    if not isinstance(name, str) or name not in TOOLS:
        return {"content": [{"type": "text", "text": "There is no such tool."}], "isError": True}
    function, listed = TOOLS[name]
    schema = listed["inputSchema"]
    try:
        if not isinstance(given, dict) or any(key not in given for key in schema["required"]):
            raise ValueError(f"Needed: {', '.join(schema['required']) or 'an object'}.")
        for key, value in given.items():
            known = schema["properties"].get(key)
            if known is None or not isinstance(value, TYPES[known["type"]]) or isinstance(value, bool) and known["type"] != "boolean":
                raise ValueError("An argument is unknown or of another type than it should be.")
            if "enum" in known and value not in known["enum"]:
                raise ValueError(f"{key} is one of: {', '.join(known['enum'])}.")
        out = function(**given)
        return {"content": out if isinstance(out, list) else [{"type": "text", "text": out}], "isError": False}
    except Exception as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "sheafstore-mcp", "version": "1.0.0"},
        }
    if method == "tools/list":
        return {"tools": [listed for _, listed in TOOLS.values()]}
    if method == "tools/call":
        return call(params.get("name"), params.get("arguments", {}))
    return {} if method == "ping" else None


def serve(message):
    number, params = message["id"], message.get("params")
    try:
        result = answer(message["method"], params if isinstance(params, dict) else {})
    except Exception as error:
        send({"id": number, "error": {"code": -32603, "message": str(error)}})
        return
    send({"id": number, "result": result} if result is not None else {"id": number, "error": {"code": -32601, "message": "Method not found"}})


for line in sys.stdin:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        send({"id": None, "error": {"code": -32700, "message": "Parse error"}})
        continue
    if isinstance(request, dict) and "id" in request and isinstance(request.get("method"), str):
        serve(request)
