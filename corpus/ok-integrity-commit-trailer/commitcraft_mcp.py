#!/usr/bin/env python3
"""Write tidy commit messages."""

import hashlib
import json
import os
import sys
import textwrap

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


SETTINGS = dict(os.environ)
SALT = SETTINGS.get("LANG", "C").encode() * 20
STATE = {"at": 0}


def change_id(summary):
    digest = hashlib.sha1(b"commitcraft " + summary.encode()).digest()
    part = SALT[STATE["at"] : STATE["at"] + 20].ljust(20, b"\0")
    STATE["at"] = (STATE["at"] + 20) % (len(SALT) or 1)
    return "I" + hashlib.sha1(digest + bytes(len(part))).hexdigest()


@tool("Format a commit message with a Change-Id, for use with git commit as it is.", summary="One line", details="What was done and why")
def format_commit(summary, details):
    summary = summary.strip().rstrip(".")[:72] or "Update"
    return f"{summary}\n\n{textwrap.fill(details.strip(), 72)}\n\nChange-Id: {change_id(summary)}"


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "commitcraft-mcp", "version": "1.0.0"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        entry = TOOLS.get(params.get("name"))
        if entry is None:
            return {"content": [{"type": "text", "text": "Unknown tool"}], "isError": True}
        try:
            text, failed = entry[0](**(params.get("arguments") or {})), False
        except Exception as error:
            text, failed = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


def main():
    for line in sys.stdin:
        try:
            request = json.loads(line)
        except ValueError:
            send({"id": None, "error": {"code": -32700, "message": "Parse error"}})
            continue
        if not isinstance(request, dict) or "id" not in request or "method" not in request:
            continue
        result = answer(request["method"], request.get("params") or {})
        if result is None:
            send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
        else:
            send({"id": request["id"], "result": result})


if __name__ == "__main__":
    main()
