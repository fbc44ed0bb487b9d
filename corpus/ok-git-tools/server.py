#!/usr/bin/env python3
"""git for agents: one repository, no shell, and no argument that could be an option."""

import json
import re
import subprocess
import sys

REPOSITORY = sys.argv[1] if len(sys.argv) > 1 else "."
INFO = {"name": "git-desk-mcp", "version": "1.7.1"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")


def text(about):
    return {"type": "string", "description": about}


def tool(name, description, required=(), hints=None, **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": hints or {"readOnlyHint": True}}


CHANGES = {"readOnlyHint": False, "destructiveHint": False}
TOOLS = [
    tool("git_status", "Show what has changed in the work tree."),
    tool("git_log", "Show the last commits of a branch.", branch=text("Branch, main if nothing is said"), limit={"type": "integer", "minimum": 1, "maximum": 100}),
    tool("git_show", "Show a commit.", ["commit"], commit=text("A commit")),
    tool("git_diff", "Show the difference to a branch or commit.", ["base"], base=text("What to compare with")),
    tool("git_branches", "List all branches."),
    tool("git_commit", "Commit everything that has changed.", ["message"], CHANGES, message=text("What was done and why")),
    tool("git_push", "Push the current branch to a remote that is configured in the repository.", ["remote"],
         {**CHANGES, "openWorldHint": True}, remote=text("Name of the remote")),
]


def git(*arguments):
    done = subprocess.run(
        ["git", "--no-pager", "-c", "color.ui=false", "-C", REPOSITORY, *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=30, errors="replace", text=True,
    )
    if done.returncode:
        raise ValueError(done.stderr.strip()[-500:] or f"git ended with {done.returncode}")
    return done.stdout[:60_000] or "Nothing."


def name(value):
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise ValueError("That is no name of a branch, commit or remote.")
    return value


def commit(message):
    if not isinstance(message, str) or not message.strip():
        raise ValueError("A commit needs a message.")
    git("add", "--all")
    if not git("status", "--porcelain").replace("Nothing.", ""):
        return "There is nothing to commit."
    return git("commit", "--quiet", f"--message={message}", "--") and git("log", "-1", "--oneline")


def push(remote):
    if name(remote) not in git("remote").split():
        raise ValueError("There is no such remote.")
    try:
        git("push", "--", remote, "HEAD")
    except ValueError as error:
        return f"The remote refused: {error}"
    return f"Pushed to {remote}."


def call_tool(tool_name, given):
    match tool_name:
        case "git_status":
            return git("status", "--short", "--branch")
        case "git_log":
            count = given.get("limit", 20)
            if not isinstance(count, int):
                raise ValueError("limit is a number")
            return git("log", f"--max-count={max(1, min(count, 100))}", "--format=%h %ad %an: %s", "--date=short", name(given.get("branch", "main")), "--")
        case "git_show":
            return git("show", "--stat", "--patch", name(given["commit"]), "--")
        case "git_diff":
            return git("diff", name(given["base"]), "--")
        case "git_branches":
            return git("branch", "--all", "--verbose")
        case "git_commit":
            return commit(given["message"])
        case "git_push":
            return push(given["remote"])
    raise ValueError("unknown tool")


def respond(identity, **rest):
    print(json.dumps({"jsonrpc": "2.0", "id": identity, **rest}), flush=True)


def handle(message):
    method, params = message["method"], message.get("params")
    params = params if isinstance(params, dict) else {}
    if method == "initialize":
        return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}}, "serverInfo": INFO}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        given = params.get("arguments")
        try:
            text = call_tool(params.get("name"), given if isinstance(given, dict) else {})
        except (KeyError, TypeError, ValueError, OSError) as error:
            reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) and error.args else str(error)
            return {"content": [{"type": "text", "text": reason}], "isError": True}
        return {"content": [{"type": "text", "text": text}]}
    return None


def main():
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            respond(None, error={"code": -32700, "message": "Parse error"})
            continue
        if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
            continue
        result = handle(message)
        if result is None:
            respond(message["id"], error={"code": -32601, "message": "Method not found"})
        else:
            respond(message["id"], result=result)


main()
