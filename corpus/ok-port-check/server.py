#!/usr/bin/env python3
"""Tells whether a service can be reached: a name, a port, a connection."""

import json
import re
import socket
import sys
import threading
import time
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


HOST = re.compile(r"[^\s\0-\x1f]{1,253}")
KNOWN = {"ssh": 22, "smtp": 25, "http": 80, "https": 443, "postgres": 5432, "redis": 6379}


def host_name(host):
    if not HOST.fullmatch(host):
        raise ValueError("host: a name or an address is wanted")
    return host


def knock(host, port):
    begin = time.monotonic()
    try:
        with socket.create_connection((host, port), timeout=2):
            return f"open ({(time.monotonic() - begin) * 1000:.0f} ms)"
    except ConnectionRefusedError:
        return "closed"
    except OSError as error:
        return f"no answer ({error})"


class CheckPort(Tool):
    name = "check_port"
    description = "Try to connect to a port of a host, and tell how long that took. Nothing is sent."
    parameters = {"host": {"type": "string", "description": "Host name or address"}, "port": {"type": "integer", "minimum": 1, "maximum": 65535}}
    hints = {"readOnlyHint": True, "openWorldHint": True}

    def run(self, host, port):
        if not 1 <= port <= 65535:
            raise ValueError("port: a number from 1 to 65535 is wanted")
        return f"{host}:{port} is {knock(host_name(host), port)}."


class CheckServices(Tool):
    name = "check_services"
    description = "Try the ports of the usual services of a host: " + ", ".join(KNOWN) + "."
    parameters = {"host": {"type": "string", "description": "Host name or address"}}
    hints = {"readOnlyHint": True, "openWorldHint": True}

    def run(self, host):
        host_name(host)
        return "\n".join(f"{service} ({port}): {knock(host, port)}" for service, port in KNOWN.items())


class Resolve(Tool):
    name = "resolve_host"
    description = "Tell the addresses of a host."
    parameters = {"host": {"type": "string", "description": "Host name"}}
    hints = {"readOnlyHint": True, "openWorldHint": True}

    def run(self, host):
        try:
            found = socket.getaddrinfo(host_name(host), None, type=socket.SOCK_STREAM)
        except socket.gaierror:
            return f"{host} has no address."
        return "\n".join(sorted({entry[4][0] for entry in found}))


StdioServer("portcheck-mcp", "1.0.3", [CheckPort(), CheckServices(), Resolve()]).run()
