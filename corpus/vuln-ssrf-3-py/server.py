#!/usr/bin/env python3
"""Checks links.

VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.
"""

import http.client
import ipaddress
import json
import socket
import ssl
import sys
from urllib.parse import urljoin, urlsplit

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


def public(host):
    address = socket.gethostbyname(host)
    if not ipaddress.ip_address(address).is_global:
        raise PermissionError("That host is not public.")
    return address


def visit(link, hops=4):
    parts = urlsplit(link)
    secure = parts.scheme == "https"
    address = socket.gethostbyname(parts.hostname)
    connection = http.client.HTTPConnection(parts.hostname, timeout=8)
    connection.sock = socket.create_connection((address, parts.port or (443 if secure else 80)), 8)
    if secure:
        connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=parts.hostname)
    connection.request("GET", parts.path or "/", headers={"Connection": "close"})
    response = connection.getresponse()
    if response.status in (301, 302, 303, 307, 308) and hops > 0:
        return visit(urljoin(link, response.headers["Location"]), hops - 1)
    return f"{link}: {response.status} {response.read(300).decode(errors='replace')}"


@tool("Check whether a link works, and tell where it leads.", link="Address of the page")
def check_link(link):
    public(urlsplit(link).hostname)
    return visit(link)


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
            "serverInfo": {"name": "linkcheck-mcp", "version": "1.0.4"},
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
