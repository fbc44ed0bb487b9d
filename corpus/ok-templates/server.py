#!/usr/bin/env python3
"""Fills in letters: {{name}} is replaced by the value of that name, and that is all."""

import json
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

PLACE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,60})\s*\}\}")


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


LETTERS = {
    "welcome": "Dear {{name}},\n\nwelcome to {{place}}.\n",
    "reminder": "Dear {{name}},\n\nplease remember: {{what}}.\n",
}


def fill(template, values):
    missing = []

    def value(found):
        if found[1] not in values:
            missing.append(found[1])
            return found[0]
        return str(values[found[1]])[:10_000]

    text = PLACE.sub(value, template)
    return text + (f"\n[no value for: {', '.join(sorted(set(missing)))}]" if missing else "")


class FillLetter(Tool):
    name = "fill_letter"
    description = "Fill in one of the letters: " + ", ".join(LETTERS) + "."
    parameters = {"letter": {"type": "string", "enum": list(LETTERS)}, "values": {"type": "object", "description": "Values by their names"}}
    hints = {"readOnlyHint": True, "openWorldHint": False}

    def run(self, letter, values):
        if letter not in LETTERS:
            raise ValueError("letter: there is no such letter")
        return fill(LETTERS[letter], values)


class FillText(Tool):
    name = "fill_text"
    description = "Fill in a text in which {{name}} stands for the value of that name."
    parameters = {"text": {"type": "string", "description": "Text with places to fill in"}, "values": {"type": "object", "description": "Values by their names"}}
    hints = {"readOnlyHint": True, "openWorldHint": False}

    def run(self, text, values):
        if len(text) > 200_000:
            raise ValueError("text: that is too long")
        return fill(text, values)


class ListPlaces(Tool):
    name = "list_places"
    description = "List the places to fill in of a text."
    parameters = {"text": {"type": "string", "description": "Text with places to fill in"}}
    hints = {"readOnlyHint": True, "openWorldHint": False}

    def run(self, text):
        return ", ".join(sorted(set(PLACE.findall(text[:200_000])))) or "There are none."


StdioServer("fillform-mcp", "1.1.0", [FillLetter(), FillText(), ListPlaces()]).run()
