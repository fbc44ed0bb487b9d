#!/usr/bin/env python3
"""Offers runbooks as resources."""

import json
import os
import sys

SHELF = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ".")
PREFIX = "runbook://"


def locate(uri):
    if not uri.startswith(PREFIX):
        raise ValueError("That is no runbook.")
    found = os.path.realpath(os.path.join(SHELF, uri[len(PREFIX) :]))
    if os.path.commonpath([SHELF, found]) != SHELF:
        raise ValueError("There is no such runbook.")
    return found


def read(uri):
    with open(locate(uri), encoding="utf-8", errors="replace") as runbook:
        return runbook.read(20000)


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"resources": {}},
            "serverInfo": {"name": "runbook-shelf-mcp", "version": "1.0.4"},
        }
    if method == "resources/list":
        return {"resources": []}
    if method == "resources/templates/list":
        return {"resourceTemplates": [{"uriTemplate": PREFIX + "{+name}", "name": "runbook", "description": "One of the runbooks"}]}
    if method == "resources/read":
        uri = str(params.get("uri"))
        return {"contents": [{"uri": uri, "text": read(uri)}]}
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
    try:
        result = answer(request["method"], params if isinstance(params, dict) else {})
    except Exception as error:
        return {"id": request["id"], "error": {"code": -32602, "message": str(error)}}
    if result is None:
        return {"id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"id": request["id"], "result": result}


for line in sys.stdin.buffer:
    if reply := serve(line):
        print(json.dumps({"jsonrpc": "2.0", **reply}), flush=True)
