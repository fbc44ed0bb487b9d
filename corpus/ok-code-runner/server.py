#!/usr/bin/env python3
"""Runs Python code that a model has written: in another process, in an empty
folder, with limits. That is no prison, and the description says so."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor


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


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    resource.setrlimit(resource.RLIMIT_FSIZE, (10 << 20, 10 << 20))


def python(code, *options):
    with tempfile.TemporaryDirectory(prefix="python-sandbox-") as folder:
        done = subprocess.run(
            [sys.executable, "-I", *options, "-"], input=code, cwd=folder, env={"PATH": os.environ.get("PATH", ""), "HOME": folder},
            capture_output=True, text=True, errors="replace", timeout=15, preexec_fn=limits,
        )
    return done


class RunPython(Tool):
    name = "run_python"
    description = (
        "Execute Python code and return what it prints. The code runs as the user of this server, in a temporary folder,"
        " for at most ten seconds; nothing is kept between two calls. Only the standard library is there."
    )
    parameters = {"code": {"type": "string", "description": "Python code to execute"}}
    hints = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}

    def run(self, code):
        done = python(code)
        return f"{done.stdout[:50_000]}{done.stderr[-5000:]}\n[exit code {done.returncode}]"


class CheckSyntax(Tool):
    name = "check_syntax"
    description = "Tell whether Python code can be compiled, without running it."
    parameters = {"code": {"type": "string", "description": "Python code"}}
    hints = {"readOnlyHint": True}

    def run(self, code):
        try:
            compile(code, "snippet.py", "exec")
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            return f"It cannot: {error}"
        return "It can be compiled."


class Version(Tool):
    name = "python_version"
    description = "Tell which Python it is."
    hints = {"readOnlyHint": True}

    def run(self):
        return sys.version


StdioServer("python-sandbox-mcp", "0.3.0", [RunPython(), CheckSyntax(), Version()]).run()
