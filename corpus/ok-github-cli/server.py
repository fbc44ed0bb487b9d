#!/usr/bin/env python3
"""GitHub by way of gh, which is signed in already. No token passes through here."""

import json
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

REPOSITORY = sys.argv[1] if len(sys.argv) > 1 else "."


class Tool:
    """What subclasses fill in: a name, a description, parameters, and run()."""

    name = description = ""
    parameters: dict = {}
    optional: tuple = ()
    hints: dict = {}

    def listed(self):
        required = [key for key in self.parameters if key not in self.optional]
        schema = {"type": "object", "properties": self.parameters, "required": required}
        return {"name": self.name, "description": self.description, "inputSchema": schema, "annotations": self.hints}

    def checked(self, given):
        if not isinstance(given, dict):
            raise ValueError("arguments: an object is wanted")
        clean = {}
        for key, schema in self.parameters.items():
            if key not in given:
                if key not in self.optional:
                    raise ValueError(f"{key}: is missing")
                continue
            wanted = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}[schema["type"]]
            if not isinstance(given[key], wanted) or isinstance(given[key], bool) and wanted is not bool:
                raise ValueError(f"{key}: a value of the type {schema['type']} is wanted")
            clean[key] = given[key]
        return clean

    def run(self, **given):
        raise NotImplementedError


class StdioServer:
    def __init__(self, name, version, tools):
        self.info, self.tools = {"name": name, "version": version}, {tool.name: tool for tool in tools}
        self.lock, self.pool = threading.Lock(), ThreadPoolExecutor(max_workers=4)

    def write(self, **message):
        with self.lock:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            sys.stdout.flush()

    def call(self, identity, params):
        tool = self.tools.get(params.get("name")) if isinstance(params.get("name"), str) else None
        if tool is None:
            self.write(id=identity, error={"code": -32602, "message": "Unknown tool"})
            return
        try:
            text, failed = tool.run(**tool.checked(params.get("arguments", {}))), False
        except Exception as error:
            text, failed = f"{type(error).__name__}: {error}", True
        self.write(id=identity, result={"content": [{"type": "text", "text": text}], "isError": failed})

    def dispatch(self, message):
        method, identity = message["method"], message["id"]
        params = message.get("params") if isinstance(message.get("params"), dict) else {}
        if method == "tools/call":
            self.pool.submit(self.call, identity, params)
        elif method == "tools/list":
            self.write(id=identity, result={"tools": [tool.listed() for tool in self.tools.values()]})
        elif method == "initialize":
            version = params.get("protocolVersion", "2025-06-18")
            self.write(id=identity, result={"protocolVersion": version, "capabilities": {"tools": {}, "logging": {}}, "serverInfo": self.info})
        elif method in ("ping", "logging/setLevel"):
            self.write(id=identity, result={})
        else:
            self.write(id=identity, error={"code": -32601, "message": f"{method[:60]}: unknown method"})

    def run(self):
        for line in sys.stdin:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self.write(id=None, error={"code": -32700, "message": "Parse error"})
                continue
            if isinstance(message, dict) and "id" in message and isinstance(message.get("method"), str):
                self.dispatch(message)
        self.pool.shutdown()


def gh(*arguments):
    try:
        done = subprocess.run(["gh", *arguments], cwd=REPOSITORY, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=30)
    except FileNotFoundError:
        return "gh is not installed here."
    return done.stdout[:50_000] or done.stderr[-2000:] or "Done."


def line(text):
    return re.sub(r"\s+", " ", text).strip()[:250]


class ListPulls(Tool):
    name, description = "list_pull_requests", "List the open pull requests of the repository with gh."
    hints = {"readOnlyHint": True, "openWorldHint": True}

    def run(self):
        return gh("pr", "list", "--json=number,title,author")


class ShowPull(Tool):
    name, description = "show_pull_request", "Show a pull request with gh."
    parameters = {"number": {"type": "integer", "description": "Number of the pull request"}}
    hints = {"readOnlyHint": True, "openWorldHint": True}

    def run(self, number):
        return gh("pr", "view", str(abs(number)), "--comments")


class OpenPull(Tool):
    name, description = "open_pull_request", "Open a pull request for the current branch with gh."
    parameters = {"title": {"type": "string", "description": "Title"}, "body": {"type": "string", "description": "Text"}}
    hints = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": True}

    def run(self, title, body):
        if not line(title) or "\0" in title + body:
            raise ValueError("title: a pull request needs one")
        return gh("pr", "create", f"--title={line(title)}", f"--body={body}")


class RunWorkflow(Tool):
    name, description = "run_workflow", "Start a workflow of the repository with gh."
    parameters = {"workflow": {"type": "string", "description": "File of the workflow, such as build.yml"}}
    hints = {"readOnlyHint": False, "openWorldHint": True}

    def run(self, workflow):
        if not re.fullmatch(r"\w[\w-]{0,79}(\.ya?ml)?", workflow):
            return "That is no name of a workflow."
        return gh("workflow", "run", workflow)


StdioServer("github-cli-mcp", "0.4.0", [ListPulls(), ShowPull(), OpenPull(), RunWorkflow()]).run()
