#!/usr/bin/env python3
"""Tells where in the world an address is, by the free service of whereabouts.example."""

import functools
import ipaddress
import json
import sys
import urllib.error
import urllib.request

INFO = {"name": "ip-geo-mcp", "version": "1.0.0"}
SERVICE = "https://api.whereabouts.example/json/"
TOOLS = [
    {
        "name": "locate_ip",
        "description": "Tell country, city and provider of an IP address, as api.whereabouts.example knows them.",
        "inputSchema": {"type": "object", "properties": {"ip": {"type": "string", "description": "IP address"}}, "required": ["ip"]},
        "annotations": {"readOnlyHint": True, "openWorldHint": True},
    },
    {
        "name": "locate_me",
        "description": "Tell where this machine seems to be: api.whereabouts.example is asked without an address.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True, "openWorldHint": True},
    },
    {
        "name": "describe_ip",
        "description": "Tell what kind of address it is, without asking anybody.",
        "inputSchema": {"type": "object", "properties": {"ip": {"type": "string", "description": "IP address"}}, "required": ["ip"]},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
]


@functools.lru_cache(maxsize=256)
def ask(address):
    request = urllib.request.Request(SERVICE + address, headers={"Accept": "application/json", "User-Agent": "ip-geo-mcp/1.0"})
    try:
        with urllib.request.urlopen(request, timeout=6) as response:
            return response.read(5000).decode(errors="replace")
    except urllib.error.URLError as error:
        raise ValueError(f"the service cannot be reached: {error.reason}") from None


def kind(address):
    for name in ("loopback", "link_local", "multicast", "private", "reserved", "global"):
        if getattr(address, f"is_{name}"):
            return f"IPv{address.version}, {name.replace('_', ' ')}"
    return f"IPv{address.version}"


def call_tool(name, given):
    if name == "locate_me":
        return ask("")
    if not isinstance(given.get("ip"), str):
        raise ValueError("ip is a text")
    address = ipaddress.ip_address(given["ip"].strip())
    if name == "locate_ip":
        return ask(str(address).partition("%")[0])
    if name == "describe_ip":
        return kind(address)
    raise ValueError("unknown tool")


def respond(identity, **rest):
    print(json.dumps({"jsonrpc": "2.0", "id": identity, **rest}), flush=True)


def handle(message):
    method, params = message["method"], message.get("params")
    params = params if isinstance(params, dict) else {}
    if method == "initialize":
        return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}}, "serverInfo": INFO}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        given = params.get("arguments")
        try:
            text = call_tool(params.get("name"), given if isinstance(given, dict) else {})
        except (KeyError, TypeError, ValueError, OSError) as error:
            reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) and error.args else str(error)
            return {"content": [{"type": "text", "text": reason}], "isError": True}
        return {"content": [{"type": "text", "text": text}]}
    return None


def main():
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            respond(None, error={"code": -32700, "message": "Parse error"})
            continue
        if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
            continue
        result = handle(message)
        if result is None:
            respond(message["id"], error={"code": -32601, "message": "Method not found"})
        else:
            respond(message["id"], result=result)


main()
