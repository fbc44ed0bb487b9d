#!/usr/bin/env python3
"""Installs themes from archives.
"""

import base64
import io
import json
import os
import sys
import zipfile

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; an argument of which there is only a text is a string."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": about} if isinstance(about, str) else about for name, about in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


THEMES = os.path.expanduser("~/.local/share/theme-installer-mcp")
LARGEST = 1 << 20


def unpack(archive):
    for entry in archive.infolist():
        target = os.path.realpath(os.path.join(THEMES, entry.filename))
        if not target.startswith(os.path.realpath(THEMES) + os.sep):
            raise ValueError("The archive leads out of its folder.")
        if entry.is_dir() or entry.file_size > LARGEST:
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(archive.read(entry))


@tool("Install a theme.", archive="The ZIP archive of the theme in base64")
def install_theme(archive):
    try:
        opened = zipfile.ZipFile(io.BytesIO(base64.b64decode(archive)))
    except (ValueError, zipfile.BadZipFile):
        return "That is not a ZIP archive."
    unpack(opened)
    return f"Installed {len(opened.infolist())} files."


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(params):
    try:
        return TOOLS[params["name"]][0](**params.get("arguments") or {}), False
    except Exception as error:
        return str(error), True


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "theme-installer-mcp", "version": "1.0.4"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        text, failed = call(params)
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


def serve(line):
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": {"code": -32700, "message": "Parse error"}}
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return {"id": None, "error": {"code": -32600, "message": "Invalid Request"}}
    if not isinstance(request.get("id"), (int, str)):
        return None
    params = request.get("params")
    result = answer(request["method"], params if isinstance(params, dict) else {})
    if result is None:
        return {"id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"id": request["id"], "result": result}


for line in sys.stdin.buffer:
    if reply := serve(line):
        send(reply)
