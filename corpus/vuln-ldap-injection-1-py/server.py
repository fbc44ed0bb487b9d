#!/usr/bin/env python3
"""Finds colleagues in the directory.

VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.
"""

import json
import os
import re
import socket
import sys

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


def ber(tag, *parts):
    body = b"".join(parts)
    size = bytes([len(body)]) if len(body) < 128 else b"\x84" + len(body).to_bytes(4, "big")
    return bytes([tag]) + size + body


def packed(text):
    """One clause of a filter, and what follows it."""
    if text[1] in "&|":
        clauses, rest = [], text[2:]
        while rest.startswith("("):
            clause, rest = packed(rest)
            clauses.append(clause)
        return ber({"&": 0xA0, "|": 0xA1}[text[1]], *clauses), rest[1:]
    clause, _, rest = text[1:].partition(")")
    attribute, _, value = clause.partition("=")
    if value == "*":
        return ber(0x87, attribute.encode()), rest
    value = re.sub(rb"\\([0-9a-f]{2})", lambda code: bytes([int(code[1], 16)]), value.encode())
    return ber(0xA3, ber(4, attribute.encode()), ber(4, value)), rest


def search(text):
    bind = ber(0x60, ber(2, b"\3"), ber(4), ber(0x80))
    limits = ber(10, b"\2") + ber(10, b"\0") + ber(2, b"\x14") + ber(2, b"\5") + ber(1, b"\0")
    query = ber(0x63, ber(4, os.environ["LDAP_BASE"].encode()), limits, packed(text)[0], ber(0x30, ber(4, b"telephoneNumber")))
    with socket.create_connection((os.environ["LDAP_HOST"], 389), timeout=8) as out:
        out.sendall(ber(0x30, ber(2, b"\1"), bind))
        out.recv(4096)
        out.sendall(ber(0x30, ber(2, b"\2"), query))
        return out.recv(65536)


@tool("Find the telephone number of a colleague.", name="Full name")
def phone_number(name):
    found = search(f"(&(objectClass=person)(cn={name}))")
    return ", ".join(number.decode() for number in re.findall(rb"\+?[0-9][0-9 /-]{5,}", found)) or "Nobody has that name."


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
            "serverInfo": {"name": "phonebook-mcp", "version": "1.0.4"},
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
