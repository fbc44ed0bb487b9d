#!/usr/bin/env python3
"""Runs commands on one remote machine by way of ssh, which brings its own keys."""

import json
import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

HOST, USER = os.environ["SSH_HOST"], os.environ.get("SSH_USER", "root")


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


def ssh(command):
    if not shutil.which("ssh"):
        return "ssh is not installed here."
    done = subprocess.run(
        ["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=8", "-o", "StrictHostKeyChecking=yes", "--", f"{USER}@{HOST}", command],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=40,
    )
    return f"{done.stdout[:50_000]}{done.stderr[-2000:]}\n[{USER}@{HOST}: exit code {done.returncode}]"


class RemoteExec(Tool):
    name = "remote_exec"
    description = "Run a shell command on the configured remote host over ssh and return its output."
    parameters = {"command": {"type": "string", "description": "Command line for the remote shell"}}
    hints = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}

    def run(self, command):
        return ssh(command)


class RemoteUptime(Tool):
    name = "remote_uptime"
    description = "Tell over ssh how long the remote host is up, and how busy it is."
    hints = {"readOnlyHint": True}

    def run(self):
        return ssh("uptime")


class RemoteDisk(Tool):
    name = "remote_disk"
    description = "Tell over ssh how full the disks of the remote host are."
    hints = {"readOnlyHint": True}

    def run(self):
        return ssh("df -h")


StdioServer("ssh-remote-mcp", "1.1.0", [RemoteExec(), RemoteUptime(), RemoteDisk()]).run()
