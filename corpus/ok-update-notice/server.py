#!/usr/bin/env python3
"""Colours. At start it asks once a day whether there is a newer version, and tells the user on stderr."""

import colorsys
import inspect
import json
import os
import re
import sys
import threading
import time
import typing
import urllib.request
from pathlib import Path
from typing import Annotated

VERSION = "1.4.2"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "colourbook-mcp"


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


def look_for_update():
    stamp = CACHE / "checked"
    try:
        if stamp.exists() and time.time() - stamp.stat().st_mtime < 86_400:
            return
        CACHE.mkdir(parents=True, exist_ok=True)
        stamp.touch()
        request = urllib.request.Request("https://colourbook.example/releases/latest.json", headers={"User-Agent": f"colourbook-mcp/{VERSION}"})
        with urllib.request.urlopen(request, timeout=4) as response:
            newest = json.loads(response.read(10_000))
        if isinstance(newest, dict) and isinstance(newest.get("version"), str) and newest["version"] != VERSION:
            print(f"colourbook-mcp {newest['version'][:20]} is available: pipx upgrade colourbook-mcp", file=sys.stderr)
    except (OSError, ValueError):
        pass


app = Server("colourbook-mcp", VERSION)


def channels(colour):
    found = re.fullmatch(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", colour)
    if not found:
        raise ValueError("A colour is written as #336699.")
    return [int(part, 16) for part in found.groups()]


@app.tool(readOnlyHint=True)
def describe_colour(colour: Annotated[str, "A colour, such as #336699"]):
    """Tell hue, lightness and saturation of a colour."""
    hue, light, saturation = colorsys.rgb_to_hls(*(c / 255 for c in channels(colour)))
    return {"hue": round(hue * 360), "lightness": round(light, 3), "saturation": round(saturation, 3)}


@app.tool(readOnlyHint=True)
def contrast(first: Annotated[str, "A colour, such as #336699"], second: Annotated[str, "Another colour, such as #ffffff"]):
    """Tell the contrast of two colours, as it is defined for readable pages."""
    def luminance(colour):
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (c / 255 for c in channels(colour))]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted([luminance(first), luminance(second)])
    return f"{(light + 0.05) / (dark + 0.05):.2f}:1"


if not os.environ.get("COLOURBOOK_NO_UPDATE_CHECK"):
    threading.Thread(target=look_for_update, daemon=True).start()
app.run()
