#!/usr/bin/env python3
"""Converts PNG pictures to PPM and makes thumbnails, with nothing but zlib."""

import inspect
import json
import struct
import sys
import typing
import zlib
from pathlib import Path
from typing import Annotated

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
MOST = 4_000_000


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


app = Server("pixel-convert-mcp", "0.2.0")


def pictures():
    return {path.name: path for path in FOLDER.iterdir() if path.suffix.lower() == ".png" and path.is_file() and not path.is_symlink()}


def chosen(picture):
    known = pictures()
    name = Path(picture).name
    if name not in known and known:  # close enough, for people who leave out the ending
        name = next((candidate for candidate in known if Path(candidate).stem == Path(name).stem), sorted(known)[0])
    if name not in known:
        raise ValueError("There is no such PNG picture in the folder.")
    return known[name]


def unfilter(kind, line, above, size):
    for i in range(len(line)):
        left, up = line[i - size] if i >= size else 0, above[i]
        corner = above[i - size] if i >= size else 0
        if kind == 4:
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            nearest = (0, left, up, (left + up) // 2)[kind]
        line[i] = (line[i] + nearest) & 255
    return line


def decode(path):
    raw = path.read_bytes()
    if len(raw) > MOST or raw[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("That is no PNG picture, or it is too large.")
    width, height, depth, colour, *_, interlaced = struct.unpack(">IIBBBBB", raw[16:29])
    size = {2: 3, 6: 4}.get(colour)
    if depth != 8 or interlaced or not size or width * height > MOST:
        raise ValueError("Only plain pictures with eight bits for each colour are converted.")
    at, packed = 8, b""
    while at + 8 <= len(raw):
        length, kind = struct.unpack(">I4s", raw[at:at + 8])
        if kind == b"IDAT":
            packed += raw[at + 8:at + 8 + length]
        at += length + 12
    data = zlib.decompressobj().decompress(packed, (width * size + 1) * height)
    above, rows = bytes(width * size), []
    for y in range(height):
        begin = y * (width * size + 1)
        above = unfilter(data[begin], bytearray(data[begin + 1:begin + 1 + width * size]), above, size)
        rows.append([bytes(above[x * size:x * size + 3]) for x in range(width)])
    return rows


def ppm(rows):
    return b"P6 %d %d 255\n" % (len(rows[0]), len(rows)) + b"".join(b"".join(row) for row in rows)


@app.tool(readOnlyHint=True)
def list_pictures():
    """List the PNG pictures of the folder."""
    return sorted(pictures())


@app.tool(readOnlyHint=False, destructiveHint=False, idempotentHint=True)
def to_ppm(picture: Annotated[str, "Name of a PNG picture"]):
    """Convert a PNG picture to PPM. The new file is put beside the old one."""
    source = chosen(picture)
    target = source.with_suffix(".ppm")
    target.write_bytes(ppm(decode(source)))
    return f"{target.name} has {target.stat().st_size} bytes."


@app.tool(readOnlyHint=False, destructiveHint=False, idempotentHint=True)
def thumbnail(picture: Annotated[str, "Name of a PNG picture"], step: Annotated[int, "Take every so manieth pixel"] = 4):
    """Make a small version of a PNG picture and put it beside the old one."""
    source, step = chosen(picture), max(1, min(step, 64))
    target = source.with_name(f"{source.stem}_small.ppm")
    target.write_bytes(ppm([row[::step] for row in decode(source)[::step]]))
    return f"{target.name} has {target.stat().st_size} bytes."


app.run()
