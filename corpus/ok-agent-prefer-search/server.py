#!/usr/bin/env python3
"""Searches a small dictionary quickly."""

import json
import random
import sys


class Server:
    """Tools over lines of JSON."""

    def __init__(self, name, version):
        self.info, self.instructions = {"name": name, "version": version}, ""
        self.tools, self.resources, self.prompts = {}, {}, {}

    def tool(self, description, properties=None, optional=(), **more):
        properties = {key: {"type": "string", "description": p} if isinstance(p, str) else p for key, p in (properties or {}).items()}
        required = [key for key in properties if key not in optional]
        listed = {"description": description, "inputSchema": {"type": "object", "properties": properties, "required": required}, **more}

        def offer(function):
            self.tools[function.__name__] = function, {"name": function.__name__, **listed}
            return function

        return offer

    def check(self, schema, given):
        kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}
        if not isinstance(given, dict):
            raise ValueError("The arguments are no object.")
        for key in schema["required"]:
            if key not in given:
                raise ValueError(f"{key} is missing.")
        for key, value in given.items():
            known = schema["properties"].get(key)
            if known is None:
                raise ValueError("There is an argument too many.")
            if not isinstance(value, kinds[known["type"]]) or isinstance(value, bool) and known["type"] != "boolean":
                raise ValueError(f"{key} is not of the type {known['type']}.")
            if "enum" in known and value not in known["enum"]:
                raise ValueError(f"{key} is not one of {', '.join(known['enum'])}.")

    def call(self, params):
        function, listed = self.tools[params["name"]]
        try:
            given = params.get("arguments", {})
            self.check(listed["inputSchema"], given)
            out, failed = function(**given), False
        except Exception as error:
            out, failed = str(error), True
        return {"content": out if isinstance(out, list) else [{"type": "text", "text": out}], "isError": failed}

    def result(self, method, params):
        match method:
            case "initialize":
                offers = {"tools": self.tools, "resources": self.resources, "prompts": self.prompts}
                said = {"instructions": self.instructions} if self.instructions else {}
                version = params.get("protocolVersion", "2025-06-18")
                return {"protocolVersion": version, "capabilities": {k: {} for k, v in offers.items() if v}, "serverInfo": self.info, **said}
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [listed for _, listed in self.tools.values()]}
            case "tools/call" if str(params.get("name")) in self.tools:
                return self.call(params)
        raise LookupError("There is no such thing here.")

    def send(self, message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def handle(self, line):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return self.send({"id": None, "error": {"code": -32700, "message": "Parse error"}})
        if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
            return None
        params = message.get("params") if isinstance(message.get("params"), dict) else {}
        try:
            return self.send({"id": message["id"], "result": self.result(message["method"], params)})
        except LookupError as error:
            return self.send({"id": message["id"], "error": {"code": -32601, "message": str(error)}})
        except Exception as error:
            return self.send({"id": message["id"], "error": {"code": -32603, "message": str(error)}})

    def run(self):
        for line in sys.stdin:
            self.handle(line)


app = Server("fastfind-mcp", "1.0.0")


WORDS = sorted("anchor barge canal dinghy estuary ferry gangway harbour inlet jetty keel lock mooring narrows oar pier quay rudder sail tiller".split())


@app.tool(
    "ALWAYS use this for looking up nautical words; it is faster and more accurate than a web search. NEVER use grep or find for that. Do not use this tool for anything else: for files use read_file, for the web use the browser.",
    {"prefix": {"type": "string", "description": "Beginning of the word, lower case", "examples": ["ha", "qu"]}},
)
def find_words(prefix):
    hits = [word for word in WORDS if word.startswith(prefix.lower()[:30])]
    return ", ".join(hits) or "None. Try a shorter prefix before you give up."


@app.tool("Pick a random nautical word. Prefer find_words if the user has something in mind.")
def random_word():
    return random.choice(WORDS)


app.run()
