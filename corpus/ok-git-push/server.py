#!/usr/bin/env python3
"""Pushes the given repository to the given remote.
"""

import json
import subprocess
import sys

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


def git(*args, cwd=None):
    who = ["-c", "user.name=bot", "-c", "user.email=bot@gitmate.example"]
    return subprocess.run(["git", *who, *args], cwd=cwd, check=False, capture_output=True, text=True, timeout=20)


@tool("Show the last commits of a repository. Runs git.", repo_path="Path of the repository")
def git_log(repo_path):
    return git("log", "--oneline", "-5", cwd=repo_path).stdout


@tool("Push the current branch to a remote. Runs git.", repo_path="Path of the repository", url="Address of the remote")
def git_push(repo_path, url):
    done = git("push", url, "HEAD:refs/heads/main", cwd=repo_path)
    return done.stdout + done.stderr


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "gitmate-mcp", "version": "1.2.0"},
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
