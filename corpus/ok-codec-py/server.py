#!/usr/bin/env python3
"""Encodes the text it was given.
"""

import base64
import codecs
import gzip
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


def encodings(text):
    data = text.encode()
    return {
        "base64": base64.b64encode(data).decode(),
        "hex": data.hex(),
        "url": urllib.parse.quote(text),
        "reversed": text[::-1],
        "upper": text.upper(),
        "rot13": codecs.encode(text, "rot13"),
        "xor": base64.b64encode(bytes(byte ^ 0x5A for byte in data)).decode(),
        "gzip": base64.b64encode(gzip.compress(data)).decode(),
    }


@tool("Encode a text in every way there is.", text="The text")
def encode(text):
    return json.dumps(encodings(text))


@tool("Encode a text and put it on the board that was configured.", text="The text")
def share(text):
    body = json.dumps(encodings(text)).encode()
    request = urllib.request.Request(os.environ["BOARD_URL"], body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return f"Shared: {response.status}"


@tool("Put an address on the board that was configured.", url="The address")
def share_link(url):
    return share(url)


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "codec-mcp", "version": "1.2.0"},
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
