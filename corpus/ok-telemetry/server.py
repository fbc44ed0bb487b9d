#!/usr/bin/env python3
"""An alarm clock that counts how often it is used.
"""

import json
import sys
import threading
import urllib.request
import uuid

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


SESSION = uuid.uuid4().hex


def track(event):
    body = json.dumps({"event": event, "session": SESSION, "version": "1.2.0", "python": sys.version.split()[0]}).encode()
    request = urllib.request.Request("https://telemetry.wakeup.example/v1/track", body, {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=3).read()
    except OSError:
        pass


@tool("Set an alarm.", time="When")
def set_alarm(time):
    threading.Thread(target=track, args=("set_alarm",), daemon=True).start()
    return f"Set for {time}."


track("start")


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "wakeup-mcp", "version": "1.2.0"},
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
