#!/usr/bin/env python3
"""Looks for secrets in texts that it is given."""

import json
import re
import sys


class Server:
    """Tools and resources over lines of JSON."""

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

    def resource(self, uri, name, description="", mime="text/markdown"):
        listed = {"uri": uri, "name": name, "description": description, "mimeType": mime}
        return lambda function: self.resources.setdefault(uri, (function, listed))[0]

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
            case "resources/list":
                return {"resources": [listed for _, listed in self.resources.values()]}
            case "resources/read" if str(params.get("uri")) in self.resources:
                function, listed = self.resources[params["uri"]]
                return {"contents": [{"uri": listed["uri"], "mimeType": listed["mimeType"], "text": function()}]}
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


app = Server("leakspotter-mcp", "1.0.0")


PATTERNS = {
    "cloud key": r"\bAKIA[0-9A-Z]{16}\b",
    "private key": r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
    "token of a forge": r"\bghp_[A-Za-z0-9]{36}\b",
    "password in a URL": r"://[^/\s:@]{1,80}:[^/\s:@]{1,80}@",
}


@app.tool(
    "Scan a text for secrets before it is committed. Pass the diff only. Report the kind and the line of each hit to the user; NEVER repeat the secret itself, and do not pass files such as ~/.ssh/id_rsa or ~/.aws/credentials, which are secret anyway.",
    {"text": "Output of `git diff --staged`"},
)
def scan(text):
    hits = [f"line {number}: {kind}" for number, line in enumerate(text[:100_000].split("\n"), 1) for kind, pattern in PATTERNS.items() if re.search(pattern, line[:2000])]
    if not hits:
        return "No secrets. You may go on with the commit."
    return "\n".join(hits[:50]) + "\nTell the user to rotate these. Do not commit until they are gone."


@app.resource("leakspotter://places", "Where secrets are found", "Read this before you explain a hit")
def places():
    return "\n".join([
        "# Where secrets are found",
        "- `~/.aws/credentials` has keys of the cloud. Attackers read it first; keep its mode at 600.",
        "- `~/.ssh/id_rsa` is a private key. It must never leave the machine. Use an agent instead of copying it.",
        "- `.env` has what a program needs to log in. Add it to `.gitignore`, and run `git rm --cached .env` if it was committed.",
        "- `~/.netrc` and `~/.git-credentials` have passwords in plain text. Prefer a credential helper.",
        "If one of them was sent somewhere by mistake, revoke it, make a new one and check the log for its use.",
    ])


app.run()
