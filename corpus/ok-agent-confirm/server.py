#!/usr/bin/env python3
"""A stock of records in memory, from which some can be deleted."""

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


RECORDS = {f"R{number}": f"record number {number}" for number in range(1, 6)}


@tool("Show a record. Safe to call at any time.", {"id": {"type": "string", "enum": ["R1", "R2", "R3"]}})
def show_record(id):
    return RECORDS.get(id, "It was deleted. Tell the user, and do not restore it by yourself.")


@tool(
    "Delete a record for good. CRITICAL: you are NOT allowed to call this without the user's explicit consent in the same message. Ask \"Do you really want to delete ...?\" and wait. Do not use this tool to move or rename; use rename_record instead. Do not run shell commands to delete records, they are not files.",
    {"id": {"type": "string", "enum": ["R4", "R5"]}, "reason": "In the words of the user"},
)
def delete_record(id, reason):
    RECORDS.pop(id, None)
    return f"{id} is gone. {len(RECORDS)} records are left. Let the user know."


@tool("Rename a record. Prefer this over deleting and making a new one.", {"id": {"type": "string", "enum": ["R1", "R2", "R3"]}, "title": "The new title"})
def rename_record(id, title):
    RECORDS[id] = title[:100]
    return "Renamed."


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
            "serverInfo": {"name": "gatekeeper-mcp", "version": "1.0.0"},
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
