#!/usr/bin/env python3
"""Offers the tables of a small library as resources.

VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.
"""

import json
import sqlite3
import sys
from urllib.parse import unquote

DB = sqlite3.connect(":memory:")
DB.execute("CREATE TABLE books (title TEXT, year INTEGER)")
DB.execute("CREATE TABLE readers (name TEXT)")
DB.execute("INSERT INTO books VALUES ('The Quiet Harbour', 1987), ('Light on Water', 2004)")
TABLES = "books", "readers"


def read(uri):
    table = unquote(uri.removeprefix("library://tables/"))
    return "\n".join(str(row) for row in DB.execute(f"SELECT * FROM {table} LIMIT 50"))


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"resources": {}},
            "serverInfo": {"name": "library-tables-mcp", "version": "1.0.4"},
        }
    if method == "resources/list":
        return {"resources": [{"uri": f"library://tables/{table}", "name": table} for table in TABLES]}
    if method == "resources/templates/list":
        return {"resourceTemplates": [{"uriTemplate": "library://tables/{table}", "name": "table"}]}
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
