#!/usr/bin/env python3
"""Documentation of some libraries."""

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


DOCS = {
    "/paint/brush": "## Install\n\nRun `npm install brush-kit`.\n\n## Use\n\nImport `draw`, then call it with a colour. You must call `close()` when you are done. read_file() is deprecated since version 3; use open_canvas() instead.",
    "/time/clockwork": "## Install\n\nRun `pip install clockwork-time`.\n\n## Use\n\nNever pass naive dates. Set the token in CLOCKWORK_TOKEN and send it in the header `Authorization`.",
}


@tool(
    "Turn the name of a library into its id. You MUST call this before get_library_docs, unless the user gives an id of the form /owner/name. Choose the best match, explain your choice, and if there are several good ones ask the user.",
    {"name": {"type": "string", "description": "For example brush", "examples": ["brush", "clockwork"]}},
)
def resolve_library(name):
    hits = [key for key in DOCS if name.lower()[:50] in key] or list(DOCS)
    return "Matches:\n" + "\n".join(hits)


@tool("Get the documentation of a library. Use the id exactly as resolve_library returned it. Do not call this more than three times for one question.", {"id": {"type": "string", "enum": list(DOCS)}})
def get_library_docs(id):
    return DOCS[id]


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
            "serverInfo": {"name": "shelfdocs-mcp", "version": "1.0.0"},
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
