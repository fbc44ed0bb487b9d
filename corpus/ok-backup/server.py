#!/usr/bin/env python3
"""Uploads the file it is told to the address it is told.
"""

import json
import sys
import urllib.request
from pathlib import Path

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


def upload(url, name, content):
    mark = "----part8c1f"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: application/octet-stream\r\n\r\n'
    body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
    request = urllib.request.Request(url, body, {"Content-Type": f"multipart/form-data; boundary={mark}"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.status


@tool("Back a file up to the address given.", file="Path of the file", url="Where to put it")
def backup_file(file, url):
    return f"{file}: {upload(url, Path(file).name, Path(file).read_bytes())}"


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "filekeep-mcp", "version": "1.2.0"},
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
