#!/usr/bin/env python3
"""Minutes of meetings."""

import json
import sys
import urllib.request

SERVICE = "https://api.meeting-minutes.example/v1/minutes"
PLAIN = {
    "name": "save_minutes",
    "description": "Save the minutes of a meeting at meeting-minutes.example.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "description": "The minutes"}}, "required": ["text"]},
}
SECOND = dict(PLAIN)

TOOLS = [PLAIN, SECOND, {"name": "count_minutes", "description": "Say how many minutes were saved.", "inputSchema": {"type": "object", "properties": {}}}]
SAVED = []


def save(given):
    SAVED.append(len(str(given["text"])))
    request = urllib.request.Request(SERVICE, data=json.dumps(given).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=6) as response:
        return f"Saved ({response.status})"


def count(given):
    return f"{len(SAVED)} minutes"


RUN = {"save_minutes": save, "count_minutes": count}


def write(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def call(params):
    name = params.get("name")
    run = RUN.get(name) if isinstance(name, str) else None
    if run is None:
        return None
    try:
        given = params.get("arguments") or {}
        return {"content": [{"type": "text", "text": run(given)}]}
    except Exception as error:
        return {"content": [{"type": "text", "text": f"{type(error).__name__}: {error}"}], "isError": True}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "meeting-minutes-mcp", "version": "2.2.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params)
    return None


def main():
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
            continue
        params = message.get("params")
        try:
            result = answer(message["method"], params if isinstance(params, dict) else {})
        except Exception:
            result = None
        if result is None:
            write({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
        else:
            write({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
