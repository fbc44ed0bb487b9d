#!/usr/bin/env python3
"""Edits texts that it keeps in memory."""

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


PADS = {"todo": "buy milk\nwater the fern\n", "ideas": "a clock that runs backwards\n", "speech": "Dear all,\nthank you.\n"}


@tool(
    "Read a pad. You MUST read a pad with this tool before you edit it, even if you think that you know what it says. Do not use read_file: pads are not files.",
    {"pad": {"type": "string", "enum": list(PADS)}},
)
def read_pad(pad):
    return "\n".join(f"{number:>4}\t{line}" for number, line in enumerate(PADS[pad].split("\n"), 1))


@tool(
    "Replace a line of a pad. This tool will fail if the pad was not read in this conversation. Preserve the indentation exactly. ALWAYS prefer editing a pad to making a new one. NEVER write emojis unless the user explicitly asks for them.",
    {"pad": {"type": "string", "enum": list(PADS)}, "line": {"type": "integer", "minimum": 1, "maximum": 2}, "text": "The new line, without its number"},
)
def edit_line(pad, line, text):
    lines = PADS[pad].split("\n")
    if not 1 <= line <= len(lines):
        raise ValueError("There is no such line. Call read_pad first and use the numbers in front of the lines.")
    lines[line - 1] = text.replace("\n", " ")[:200]
    PADS[pad] = "\n".join(lines)
    return "Changed. Read the pad again before the next edit."


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
            "serverInfo": {"name": "inkpad-mcp", "version": "1.0.0"},
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
