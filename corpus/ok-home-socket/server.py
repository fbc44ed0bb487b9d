#!/usr/bin/env python3
"""Lights and sensors of a house, by the WebSocket of its hub."""

import base64
import inspect
import json
import os
import socket
import ssl
import struct
import sys
import typing
import urllib.parse
from typing import Annotated, Literal

URL = urllib.parse.urlsplit(os.environ.get("HOMEHUB_URL", "wss://homehub.example/api/websocket"))
TOKEN = os.environ.get("HOMEHUB_TOKEN", "")


class Server:
    """Just enough of the protocol: tools, resources and prompts on standard input and output."""

    KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}

    def __init__(self, name, version="1.0.0", instructions=None):
        self.info, self.instructions = {"name": name, "version": version}, instructions
        self.tools, self.resources, self.prompts = {}, {}, {}

    def tool(self, **hints):
        """Offer a function: its docstring and its annotations are what is listed."""

        def offer(function):
            properties, required = {}, []
            for name, parameter in inspect.signature(function).parameters.items():
                properties[name] = self.describe(parameter.annotation)
                if parameter.default is parameter.empty:
                    required.append(name)
            schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
            listed = {"name": function.__name__, "description": inspect.getdoc(function), "inputSchema": schema}
            if hints:
                listed["annotations"] = hints
            self.tools[function.__name__] = function, listed
            return function

        return offer

    def describe(self, hint):
        kind, text = typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint, "")
        if typing.get_origin(kind) is typing.Literal:
            schema = {"type": "string", "enum": list(typing.get_args(kind))}
        elif typing.get_origin(kind) is list:
            schema = {"type": "array", "items": {"type": self.KINDS[typing.get_args(kind)[0]]}}
        else:
            schema = {"type": self.KINDS[kind]}
        return {**schema, "description": text} if text else schema

    def resource(self, uri, name, mime="text/plain"):
        return lambda function: self.resources.setdefault(uri, (function, {"uri": uri, "name": name, "mimeType": mime}))[0]

    def prompt(self, function):
        arguments = [{"name": name, "required": True} for name in inspect.signature(function).parameters]
        self.prompts[function.__name__] = function, {"name": function.__name__, "description": inspect.getdoc(function), "arguments": arguments}
        return function

    def send(self, message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def check(self, schema, given):
        if not isinstance(given, dict):
            raise ValueError("The arguments have to be an object.")
        for name in schema["required"]:
            if name not in given:
                raise ValueError(f"{name} is missing.")
        for name, value in given.items():
            if name not in schema["properties"]:
                raise ValueError(f"There is no argument called {name[:40]!r}.")
            wanted = schema["properties"][name]
            fits = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}[wanted["type"]]
            if not isinstance(value, fits) or isinstance(value, bool) and wanted["type"] != "boolean":
                raise ValueError(f"{name} has to be of the type {wanted['type']}.")
            if wanted["type"] == "array" and any(type(item).__name__ not in ("str", "int", "float") for item in value):
                raise ValueError(f"{name} has items of a wrong type.")
            if "enum" in wanted and value not in wanted["enum"]:
                raise ValueError(f"{name} has to be one of {', '.join(wanted['enum'])}.")

    def call(self, params):
        if params.get("name") not in self.tools:
            raise LookupError(f"There is no tool called {str(params.get('name'))[:60]!r}.")
        function, listed = self.tools[params["name"]]
        given = params.get("arguments") or {}
        try:
            self.check(listed["inputSchema"], given)
            text, failed = function(**given), False
        except Exception as error:
            text, failed = str(error) or type(error).__name__, True
        return {"content": [{"type": "text", "text": text if isinstance(text, str) else json.dumps(text, indent=2)}], "isError": failed}

    def answer(self, method, params):
        match method:
            case "initialize":
                offers = {"tools": self.tools, "resources": self.resources, "prompts": self.prompts}
                result = {
                    "protocolVersion": params.get("protocolVersion", "2025-06-18"),
                    "capabilities": {name: {} for name, some in offers.items() if some},
                    "serverInfo": self.info,
                }
                return {**result, "instructions": self.instructions} if self.instructions else result
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [listed for _, listed in self.tools.values()]}
            case "tools/call":
                return self.call(params)
            case "resources/list" if self.resources:
                return {"resources": [listed for _, listed in self.resources.values()]}
            case "resources/read" if params.get("uri") in self.resources:
                function, listed = self.resources[params["uri"]]
                return {"contents": [{"uri": listed["uri"], "mimeType": listed["mimeType"], "text": function()}]}
            case "prompts/list" if self.prompts:
                return {"prompts": [listed for _, listed in self.prompts.values()]}
            case "prompts/get" if params.get("name") in self.prompts:
                function, listed = self.prompts[params["name"]]
                given = {a["name"]: str((params.get("arguments") or {}).get(a["name"], "")) for a in listed["arguments"]}
                return {"messages": [{"role": "user", "content": {"type": "text", "text": function(**given)}}]}
        raise LookupError("Method not found")

    def run(self):
        for line in sys.stdin:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self.send({"id": None, "error": {"code": -32700, "message": "That is not JSON."}})
                continue
            if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
                continue
            params = message.get("params")
            try:
                self.send({"id": message["id"], "result": self.answer(message["method"], params if isinstance(params, dict) else {})})
            except LookupError as error:
                self.send({"id": message["id"], "error": {"code": -32601, "message": str(error)}})
            except Exception as error:
                self.send({"id": message["id"], "error": {"code": -32603, "message": str(error)}})


class Hub:
    """One conversation with the hub: text frames, masked as clients have to."""

    def __enter__(self):
        raw = socket.create_connection((URL.hostname, URL.port or (443 if URL.scheme == "wss" else 80)), timeout=6)
        self.socket = ssl.create_default_context().wrap_socket(raw, server_hostname=URL.hostname) if URL.scheme == "wss" else raw
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {URL.path} HTTP/1.1\r\nHost: {URL.hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head and len(head) < 10_000:
            more = self.socket.recv(1)
            if not more:
                break
            head += more
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ValueError("The hub does not speak WebSocket.")
        self.say({"type": "auth", "access_token": TOKEN})
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, message):
        data, mask = json.dumps(message).encode()[:60_000], os.urandom(4)
        length = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
        self.socket.sendall(b"\x81" + length + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def hear(self):
        self.socket.settimeout(1)
        try:
            return self.socket.recv(4096)[2:].decode(errors="replace")
        except (TimeoutError, OSError):
            return ""


app = Server("homehub-mcp", "0.5.2")


@app.tool(readOnlyHint=True)
def read_sensor(sensor: Annotated[str, "Name of a sensor, such as living_room_temperature"]):
    """Ask the hub for the value of a sensor."""
    with Hub() as hub:
        hub.say({"id": 1, "type": "get_state", "entity": sensor})
        return hub.hear() or "The hub says nothing."


@app.tool(readOnlyHint=False, destructiveHint=False)
def switch_light(light: Annotated[str, "Name of a light"], state: Literal["on", "off"]):
    """Switch a light on or off."""
    with Hub() as hub:
        hub.say({"id": 1, "type": "call_service", "service": f"turn_{state}", "target": light})
        return hub.hear() or f"{light} is {state}."


app.run()
