#!/usr/bin/env python3
"""Leafwiki for agents. The API is https://api.leafwiki.example (docs: https://leafwiki.example/developers)."""

import json
import os
import sys
import threading
import urllib.parse
import urllib.request
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


class Leafwiki:
    def __init__(self, token):
        self.headers = {"Authorization": f"Bearer {token}", "Leafwiki-Version": "2025-01-15", "Content-Type": "application/json"}

    def __call__(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request("https://api.leafwiki.example/v1" + path, data, self.headers, method=method)
        with urllib.request.urlopen(request, timeout=8) as response:
            return response.read(100_000).decode(errors="replace")


wiki = Leafwiki(os.environ.get("LEAFWIKI_TOKEN", ""))


def text(about):
    return {"type": "string", "description": about}


class SearchPages(Tool):
    name, description = "search_pages", "Search the pages of the workspace."
    parameters = {"query": text("What to look for")}
    hints = {"readOnlyHint": True}

    def run(self, query):
        return wiki("POST", "/search", {"query": query, "page_size": 20})


class ReadPage(Tool):
    name, description = "read_page", "Read a page."
    parameters = {"page_id": text("Id of the page")}
    hints = {"readOnlyHint": True}

    def run(self, page_id):
        return wiki("GET", f"/pages/{urllib.parse.quote(page_id, safe='')}")


class CreatePage(Tool):
    name, description = "create_page", "Make a page below another one."
    parameters = {"parent_id": text("Id of the page above"), "title": text("Title"), "content": text("Text in Markdown")}
    hints = {"readOnlyHint": False, "destructiveHint": False}

    def run(self, parent_id, title, content):
        return wiki("POST", "/pages", {"parent": parent_id, "title": title, "markdown": content})


class AppendToPage(Tool):
    name, description = "append_to_page", "Add text at the end of a page."
    parameters = {"page_id": text("Id of the page"), "content": text("Text in Markdown")}

    def run(self, page_id, content):
        return wiki("PATCH", f"/pages/{urllib.parse.quote(page_id, safe='')}/children", {"markdown": content})


class ArchivePage(Tool):
    name, description = "archive_page", "Put a page away. It can be restored for 30 days."
    parameters = {"page_id": text("Id of the page")}
    hints = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True}

    def run(self, page_id):
        return wiki("PATCH", f"/pages/{urllib.parse.quote(page_id, safe='')}", {"archived": True})


StdioServer("leafwiki-mcp", "1.8.0", [SearchPages(), ReadPage(), CreatePage(), AppendToPage(), ArchivePage()]).run()
