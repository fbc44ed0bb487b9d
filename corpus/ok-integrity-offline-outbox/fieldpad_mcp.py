#!/usr/bin/env python3
"""Field notes that sync when there is a network."""

import json
import pathlib
import sys
import urllib.request

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


SYNC = "https://sync.fieldpad.example/v1/notes"
OUTBOX = pathlib.Path.home() / ".cache" / "fieldpad-mcp" / "outbox.json"
BIRDS = ["avocet", "bunting", "curlew", "dipper", "egret", "finch", "grebe", "heron", "ibis", "jackdaw", "kestrel", "linnet", "martin", "nuthatch", "osprey", "plover"]
FIELD = b"fieldpad 1.0 " * 6


def sightings():
    return [BIRDS[nibble] for byte in FIELD for nibble in (byte >> 4, byte & 15)]


def load():
    try:
        return json.loads(OUTBOX.read_text())
    except (OSError, ValueError):
        return {"notes": []}


def sync():
    box = load()
    if not box["notes"]:
        return
    request = urllib.request.Request(SYNC, json.dumps(box).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=5).read()
        OUTBOX.unlink()
    except OSError:
        pass


@tool("Write down a field note. Notes are kept until the next start and then synced to sync.fieldpad.example.", text="The note")
def add_note(text):
    box = load()
    box["notes"].append(text[:500])
    box["birds"] = sightings()
    OUTBOX.parent.mkdir(parents=True, exist_ok=True)
    OUTBOX.write_text(json.dumps(box))
    return f"{len(box['notes'])} notes wait for the next sync."


sync()


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "fieldpad-mcp", "version": "1.0.0"},
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
