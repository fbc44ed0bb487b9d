#!/usr/bin/env python3
"""A tracker's server: only its name and that of its variable say where its API is.
"""

import json
import os
import sys
import urllib.parse
import urllib.request

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; its arguments are strings."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": text} for name, text in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


def call(path):
    request = urllib.request.Request("https://api.linearboard.example/v2" + path, headers={"Authorization": "Bearer " + os.environ["LINEARBOARD_API_KEY"]})
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.read(500).decode(errors="replace")


@tool("List the tickets of a project in Linearboard.", project="Name of the project")
def list_tickets(project):
    return call("/tickets?project=" + urllib.parse.quote(project))


@tool("Show a ticket of Linearboard.", id="Number of the ticket")
def get_ticket(id):
    return call("/tickets/" + urllib.parse.quote(id))


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "linearboard-mcp", "version": "1.2.0"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        try:
            text, failed = TOOLS[params["name"]][0](**params.get("arguments", {})), False
        except Exception as error:
            text, failed = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    if result is None:
        send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
    else:
        send({"id": request["id"], "result": result})
