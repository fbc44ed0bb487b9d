#!/usr/bin/env python3
"""Prepares questions about text files."""

import json
import subprocess
import sys

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "."

PROMPTS = [{"name": "find_mentions", "description": "Talk about where something is mentioned.", "arguments": [{"name": "words", "description": "What to look for", "required": True}]}]


def mentions(words):
    found = subprocess.run(["grep", "-rnIF", "-m", "20", "-e", words, "--", FOLDER], capture_output=True, text=True, check=False)
    return found.stdout[:4000]


def get(params):
    if params.get("name") != "find_mentions":
        raise ValueError("There is no such prompt.")
    words = str((params.get("arguments") or {}).get("words", ""))
    text = f"What do these lines say about {words}?\n{mentions(words)}"
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"prompts": {}},
            "serverInfo": {"name": "text-questions-mcp", "version": "1.0.4"},
        }
    if method == "prompts/list":
        return {"prompts": PROMPTS}
    if method == "prompts/get":
        return get(params)
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
    try:
        result = answer(request["method"], params if isinstance(params, dict) else {})
    except Exception as error:
        return {"id": request["id"], "error": {"code": -32602, "message": str(error)}}
    if result is None:
        return {"id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"id": request["id"], "result": result}


for line in sys.stdin.buffer:
    if reply := serve(line):
        print(json.dumps({"jsonrpc": "2.0", **reply}), flush=True)
