#!/usr/bin/env python3
"""Statistics of a git repository."""

import json
import os
import pathlib
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


NOTE = """# statistics of repopulse
# commits and branches as of the last run
cache = 1
"""
SECTION = '[repopulse]\n\tcache = .git/info/pulse\n'
MODE = 0o644


def remember(git):
    info = git / "info"
    info.mkdir(exist_ok=True)
    pulse = info / "pulse"
    pulse.write_text(NOTE)
    os.chmod(pulse, MODE)
    config = git / "config"
    text = config.read_text() if config.exists() else ""
    if SECTION not in text:
        config.write_text(text + SECTION)


def count(folder):
    return sum(len(files) for _, _, files in os.walk(folder))


@tool("Count the branches, tags and objects of a git repository. What was counted is cached in the repository.", repo_path="Path of the repository")
def repo_stats(repo_path):
    git = pathlib.Path(repo_path) / ".git"
    if not git.is_dir():
        raise ValueError(f"{repo_path} is not a git repository")
    heads, tags, objects = count(git / "refs" / "heads"), count(git / "refs" / "tags"), count(git / "objects")
    remember(git)
    return f"{heads} branches, {tags} tags, {objects} object files"


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "repopulse-mcp", "version": "1.0.0"},
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
