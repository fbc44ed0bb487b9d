#!/usr/bin/env python3
"""Looks for what reviewers complain about, in all files of one project."""

import ast
import json
import os
import re
import sys

PROJECT = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ".")
INFO = {"name": "lintwalk-mcp", "version": "0.5.0"}
SKIPPED = {".git", "node_modules", "__pycache__", ".venv"}
RULES = {
    "long-line": lambda line: len(line) > 120,
    "trailing-blank": lambda line: line != line.rstrip(),
    "todo": lambda line: "TODO" in line or "FIXME" in line,
    "tab": lambda line: "\t" in line,
    # The linter warns of keys in the source, and does not repeat them.
    "possible-secret": lambda line: re.search(r"(?i)\b(password|secret|api_?key|token)\b\s*[:=]\s*['\"][^'\"]{8,200}['\"]", line),
}
TOOLS = [
    {
        "name": "lint_project",
        "description": "Check all source files of the project and list what is wrong with which line.",
        "inputSchema": {"type": "object", "properties": {"rule": {"type": "string", "enum": sorted(RULES), "description": "Only this rule"}}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    {
        "name": "list_rules",
        "description": "List the rules.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    {
        "name": "lint_text",
        "description": "Check a piece of Python code.",
        "inputSchema": {"type": "object", "properties": {"code": {"type": "string", "description": "Python code"}}, "required": ["code"]},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
]


def sources():
    for folder, folders, names in os.walk(PROJECT):
        folders[:] = sorted(set(folders) - SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith((".py", ".js", ".mjs", ".ts", ".css", ".md")) and not os.path.islink(path) and os.path.getsize(path) < 1_000_000:
                yield path


def lint(path, rules):
    with open(path, errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            for rule in rules:
                if RULES[rule](line.rstrip("\n")):
                    yield f"{os.path.relpath(path, PROJECT)}:{number}: {rule}"


def lint_code(code):
    if not isinstance(code, str) or len(code) > 200_000:
        raise ValueError("code is a text of up to 200000 signs")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"It cannot be read: {error}"
    found = [f"line {node.lineno}: bare except" for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.type is None]
    found += [f"line {node.lineno}: {node.name} has no docstring" for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not ast.get_docstring(node)]
    return "\n".join(found) or "Nothing is wrong with it."


def call_tool(name, given):
    if name == "list_rules":
        return "\n".join(RULES)
    if name == "lint_text":
        return lint_code(given["code"])
    if name == "lint_project":
        rules = [given["rule"]] if "rule" in given else list(RULES)
        if any(not isinstance(rule, str) or rule not in RULES for rule in rules):
            raise ValueError("there is no such rule")
        complaints = [complaint for path in sources() for complaint in lint(path, rules)]
        return "\n".join(complaints[:2000]) or "Nothing is wrong."
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
