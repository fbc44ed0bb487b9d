#!/usr/bin/env python3
"""Tools in groups that can be switched on and off, so that the list stays short."""

import json
import random
import sys
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


TEXT = {"text": {"type": "string", "description": "The text"}}


class Upper(Tool):
    name, description, parameters = "upper_case", "Write a text in capitals.", TEXT

    def run(self, text):
        return text.upper()


class Count(Tool):
    name, description, parameters = "count_letters", "Count the letters of a text.", TEXT

    def run(self, text):
        return str(sum(sign.isalpha() for sign in text))


class Dice(Tool):
    name, description = "roll_dice", "Roll two dice."

    def run(self):
        return f"{random.randint(1, 6)} and {random.randint(1, 6)}"


PLUGINS = {"text": [Upper(), Count()], "games": [Dice()]}
PLUGIN = {"plugin": {"type": "string", "enum": list(PLUGINS), "description": "Which plugin"}}


class Switch(Tool):
    parameters = PLUGIN

    def __init__(self, on):
        self.on = on
        self.name = "enable_plugin" if on else "disable_plugin"
        self.description = f"Switch a plugin {'on: its tools are listed from then on' if on else 'off: its tools are listed no more'}."

    def run(self, plugin):
        if plugin not in PLUGINS:
            raise ValueError("plugin: there is no such plugin")
        before = set(server.tools)
        for tool in PLUGINS[plugin]:
            if self.on:
                server.tools[tool.name] = tool
            else:
                server.tools.pop(tool.name, None)
        if set(server.tools) != before:
            server.write(method="notifications/tools/list_changed")
        return f"{plugin} is {'on' if self.on else 'off'}."


class Plugins(Tool):
    name, description = "list_plugins", "List the plugins, and which of them are on."

    def run(self):
        return "\n".join(f"{name}: {'on' if tools[0].name in server.tools else 'off'}" for name, tools in PLUGINS.items())


server = StdioServer("toolbelt-plugins-mcp", "0.9.0", [Plugins(), Switch(True), Switch(False)])
dispatch = server.dispatch


def with_list_changed(message):
    """The handshake says that the list of tools can change."""
    if message["method"] != "initialize":
        dispatch(message)
        return
    params = message.get("params") if isinstance(message.get("params"), dict) else {}
    version = params.get("protocolVersion", "2025-06-18")
    server.write(id=message["id"], result={"protocolVersion": version, "capabilities": {"tools": {"listChanged": True}}, "serverInfo": server.info})


server.dispatch = with_list_changed
server.run()
