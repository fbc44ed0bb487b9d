#!/usr/bin/env python3
"""Tells where things are in a warehouse, whose plan is a document of XML.
"""

import json
import re
import sys
import xml.etree.ElementTree as xml

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; an argument of which there is only a text is a string."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": about} if isinstance(about, str) else about for name, about in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


PLAN = xml.fromstring("""<plan>
  <shelf hall="1" row="7"><label>screws</label><label>nails</label></shelf>
  <shelf hall="2" row="3"><label>paint</label></shelf>
  <shelf hall="4" row="1"><label>example</label></shelf>
</plan>""")


class Condition:
    """The conditions of XPath that the plan needs: comparisons, contains, and, or. Python's own paths have none of them."""

    def __init__(self, text):
        self.tokens = re.findall(r"'[^']*'|\"[^\"]*\"|@?[\w.-]+|[=(),]|\S", text)

    def holds(self, shelf):
        self.rest, self.shelf = list(self.tokens), shelf
        fits = self.either()
        if self.rest:
            raise ValueError("that is no condition")
        return fits

    def next(self, *wanted):
        if self.rest and (not wanted or self.rest[0] in wanted):
            return self.rest.pop(0)
        return ""

    def either(self):
        fits = self.both()
        while self.next("or"):
            fits = self.both() or fits
        return fits

    def both(self):
        fits = self.equal()
        while self.next("and"):
            fits = self.equal() and fits
        return fits

    def equal(self):
        left = self.value()
        if not self.next("="):
            return bool(left)
        return any(one in self.value() for one in left) if isinstance(left, list) else left == self.value()

    def value(self):
        token = self.next()
        if token == "contains":
            self.need("(")
            where = self.value()
            self.need(",")
            what = self.value()
            self.need(")")
            return any(what in one for one in where)
        if token == "(":
            fits = self.either()
            self.need(")")
            return fits
        if token[:1] in ("'", '"') and len(token) > 1:
            return token[1:-1]
        if token.startswith("@"):
            return self.shelf.get(token[1:], "")
        if token.isdigit():
            return token
        if token.isidentifier():
            return [part.text for part in self.shelf.findall(token)]
        raise ValueError("that is no condition")

    def need(self, token):
        if not self.next(token):
            raise ValueError("that is no condition")


@tool("Tell on which shelves something is.", item="What is looked for, or a part of its name")
def where_is(item):
    if "'" in item:
        return "No name has quotes in it."
    wanted = Condition(f"contains(label, '{item}')")
    found = [shelf for shelf in PLAN.iter("shelf") if wanted.holds(shelf)]
    return "\n".join(f"hall {shelf.get('hall')}, row {shelf.get('row')}" for shelf in found) or "It is on no shelf."


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(params):
    try:
        return TOOLS[params["name"]][0](**params.get("arguments") or {}), False
    except Exception as error:
        return str(error), True


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "warehouse-mcp", "version": "1.0.4"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        text, failed = call(params)
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


def serve(line):
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": {"code": -32700, "message": "Parse error"}}
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return {"id": None, "error": {"code": -32600, "message": "Invalid Request"}}
    if not isinstance(request.get("id"), (int, str)):
        return None
    params = request.get("params")
    result = answer(request["method"], params if isinstance(params, dict) else {})
    if result is None:
        return {"id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"id": request["id"], "result": result}


for line in sys.stdin.buffer:
    if reply := serve(line):
        send(reply)
