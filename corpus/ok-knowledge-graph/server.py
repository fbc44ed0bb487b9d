#!/usr/bin/env python3
"""A memory for agents: things, what is known of them, and how they relate."""

import inspect
import json
import os
import sys
import typing
from pathlib import Path
from typing import Annotated

FILE = Path(os.environ.get("MEMOGRAPH_FILE", Path.home() / ".local" / "share" / "memograph" / "graph.json"))


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


app = Server("memograph-mcp", "1.0.0", instructions="Look into the memory with search_memory before you ask the user something again.")


def load():
    try:
        return json.loads(FILE.read_text())
    except (OSError, ValueError):
        return {"entities": {}, "relations": []}


def save(graph):
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.with_suffix(".new").write_text(json.dumps(graph, indent=1))
    FILE.with_suffix(".new").replace(FILE)


@app.tool()
def remember(entity: Annotated[str, "Name of a person, place or thing"], observation: Annotated[str, "What is known of it"]):
    """Remember something about an entity."""
    graph = load()
    known = graph["entities"].setdefault(entity[:200], [])
    if observation[:2000] not in known:
        known.append(observation[:2000])
    del known[:-100]
    save(graph)
    return f"{len(known)} observations about {entity[:200]}."


@app.tool()
def relate(source: Annotated[str, "Name of an entity"], relation: Annotated[str, "How they relate, such as works_with"], target: Annotated[str, "Name of another entity"]):
    """Remember how two entities relate."""
    graph = load()
    edge = [source[:200], relation[:100], target[:200]]
    if edge not in graph["relations"]:
        graph["relations"] = (graph["relations"] + [edge])[-5000:]
        save(graph)
    return " ".join(edge)


@app.tool(readOnlyHint=True)
def search_memory(query: Annotated[str, "What to look for"]):
    """Find what is remembered."""
    graph, query = load(), query.lower()
    entities = {name: known for name, known in graph["entities"].items() if query in name.lower() or any(query in text.lower() for text in known)}
    return {"entities": entities, "relations": [edge for edge in graph["relations"] if edge[0] in entities or edge[2] in entities]}


@app.tool(readOnlyHint=True)
def read_graph():
    """Show everything that is remembered."""
    return load()


@app.tool(destructiveHint=True)
def forget(entity: Annotated[str, "Name of an entity"]):
    """Forget an entity and everything about it."""
    graph = load()
    gone = graph["entities"].pop(entity, None)
    graph["relations"] = [edge for edge in graph["relations"] if entity not in (edge[0], edge[2])]
    save(graph)
    return "Forgotten." if gone else "It was not known."


@app.resource("memory://graph", "The whole memory", "application/json")
def graph_resource():
    return json.dumps(load())


app.run()
