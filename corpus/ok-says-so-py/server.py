#!/usr/bin/env python3
"""Keeps books, and says what each tool does.
"""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

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


FOLDER = Path(sys.argv[1])


@tool("Look a book up.", {"readOnlyHint": True, "openWorldHint": True}, title="Title of the book")
def find_book(title):
    body = json.dumps({"query": title}).encode()
    with urllib.request.urlopen(urllib.request.Request("https://api.shelf.example/search", body), timeout=8) as response:
        return response.read(1000).decode(errors="replace")


@tool("List the files on the shelf.", {"readOnlyHint": True, "openWorldHint": False})
def list_files():
    done = subprocess.run(["git", "-C", str(FOLDER), "status", "--short"], capture_output=True, text=True, timeout=8)
    return "\n".join(path.name for path in FOLDER.iterdir()) + done.stdout


@tool("Throw a file away.", {"readOnlyHint": False, "destructiveHint": True}, path="The file")
def throw_away(path):
    target = FOLDER / Path(path).name
    if target.is_symlink():
        raise ValueError("That leads elsewhere.")
    target.write_text("to be thrown away")
    target.unlink()
    return "It is gone."


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "shelf-mcp", "version": "1.2.0"},
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
