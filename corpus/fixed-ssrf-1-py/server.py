#!/usr/bin/env python3
"""Imports calendars from the web.
"""

import http.client
import ipaddress
import json
import socket
import sys
import urllib.parse

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


def connect(address, timeout, source=None):
    host, port = socket.getaddrinfo(*address, family=socket.AF_INET, type=socket.SOCK_STREAM)[0][4]
    if not ipaddress.ip_address(host).is_global:
        raise PermissionError("That host is not public.")
    return socket.create_connection((host, port), timeout, source)


def download(url):
    parts = urllib.parse.urlsplit(url)
    if parts.scheme != "https":
        raise PermissionError("Calendars are read by HTTPS.")
    connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=8)
    connection._create_connection = connect
    connection.request("GET", urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, "")))
    return connection.getresponse().read(50000).decode(errors="replace")


@tool("Import the events of a calendar.", calendar_url="Address of the calendar")
def import_calendar(calendar_url):
    lines = download(calendar_url).splitlines()
    events = [line.partition(":")[2] for line in lines if line.startswith("SUMMARY")]
    return "\n".join(events) or "No events. It begins with: " + " ".join(lines)[:200]


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
            "serverInfo": {"name": "calendar-import-mcp", "version": "1.0.4"},
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
