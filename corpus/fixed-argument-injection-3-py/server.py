#!/usr/bin/env python3
"""Shows what a file was like when the server was started.
"""

import json
import os
import subprocess
import sys
import tempfile

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


FOLDER = sys.argv[1] if len(sys.argv) > 1 else "."
BACKUP = os.path.join(tempfile.mkdtemp(), "backup.tar")
subprocess.run(["tar", "-cf", BACKUP, "-C", FOLDER, "."], check=True)


@tool("Show a file as it was when the server was started.", member="File in the backup, such as ./notes.txt")
def show_from_backup(member):
    shown = subprocess.run(["tar", "-xOf", BACKUP, "--", member], cwd=FOLDER, capture_output=True, timeout=10)
    if shown.returncode != 0:
        return "There is no such file in the backup."
    return shown.stdout[:4000].decode(errors="replace")


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
            "serverInfo": {"name": "peek-backup-mcp", "version": "1.0.4"},
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
