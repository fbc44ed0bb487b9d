#!/usr/bin/env python3
"""A pinboard: notes in ~/.pinboard, one file each."""

import hashlib
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BOARD = Path.home() / ".pinboard"


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


def place(title):
    return BOARD / (hashlib.sha256(title.encode(errors="replace")).hexdigest()[:16] + ".json")


def notes():
    for path in sorted(BOARD.glob("*.json")):
        yield json.loads(path.read_text())


class Pin(Tool):
    name, description = "pin_note", "Pin a note to the board."
    parameters = {"title": {"type": "string", "description": "Title"}, "text": {"type": "string", "description": "Text"}}
    hints = {"readOnlyHint": False, "destructiveHint": False}

    def run(self, title, text):
        BOARD.mkdir(mode=0o700, exist_ok=True)
        draft = place(title).with_suffix(".draft")
        draft.write_text(json.dumps({"title": title, "text": text, "pinned": time.strftime("%Y-%m-%d %H:%M")}))
        os.replace(draft, place(title))
        return f"Pinned: {title[:80]}"


class Read(Tool):
    name, description = "read_note", "Read a note from the board."
    parameters = {"title": {"type": "string", "description": "Title"}}
    hints = {"readOnlyHint": True}

    def run(self, title):
        path = place(title)
        return json.loads(path.read_text())["text"] if path.exists() else "There is no such note."


class Find(Tool):
    name, description = "find_notes", "Find notes that contain a text."
    parameters = {"query": {"type": "string", "description": "What to look for"}}
    hints = {"readOnlyHint": True}

    def run(self, query):
        found = [note["title"] for note in notes() if query.lower() in (note["title"] + note["text"]).lower()]
        return "\n".join(found) or "Nothing."


class Unpin(Tool):
    name, description = "unpin_note", "Throw a note away."
    parameters = {"title": {"type": "string", "description": "Title"}}
    hints = {"readOnlyHint": False, "destructiveHint": True}

    def run(self, title):
        place(title).unlink(missing_ok=True)
        return "It is not on the board any more."


StdioServer("pinboard-mcp", "1.0.0", [Pin(), Read(), Find(), Unpin()]).run()
