#!/usr/bin/env python3
"""Pretends to bake bread: a job that takes several calls."""

import json
import sys

TOOLS = {}
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}


def tool(description, properties=None, optional=(), **more):
    """Offer a function as a tool; a parameter that is only a text is a string of that meaning."""

    def offer(function):
        known = {key: {"type": "string", "description": p} if isinstance(p, str) else p for key, p in (properties or {}).items()}
        schema = {"type": "object", "properties": known, "required": [key for key in known if key not in optional]}
        TOOLS[function.__name__] = function, {"name": function.__name__, "description": description, "inputSchema": schema, **more}
        return function

    return offer


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


STEPS = [
    "Dough mixed. Call check_job again in a moment; do not start another job meanwhile.",
    "Dough rising. Do not open the oven. Call check_job again.",
    "Bread baked. Read the report with job_report now, and then tell the user that the job is finished.",
]
STATE = {"step": 0, "jobs": 0}


@tool("Start a job. Afterwards call check_job until it says that the job is finished.", {"loaves": {"type": "integer", "minimum": 1, "maximum": 50}})
def start_job(loaves):
    STATE["step"], STATE["jobs"] = 0, STATE["jobs"] + 1
    return f"Job {STATE['jobs']} started for {loaves} loaves. Next: call check_job."


@tool("See how far the job is. Never call this more often than needed.")
def check_job():
    text = STEPS[STATE["step"] % len(STEPS)]
    STATE["step"] += 1
    return text


@tool("Get the report. It is for the user: pass it on unchanged.")
def job_report():
    return f"{STATE['jobs']} jobs so far. Let the bread rest for an hour before you cut it."


def call(name, given):
    if not isinstance(name, str) or name not in TOOLS:
        return {"content": [{"type": "text", "text": "There is no such tool."}], "isError": True}
    function, listed = TOOLS[name]
    schema = listed["inputSchema"]
    try:
        if not isinstance(given, dict) or any(key not in given for key in schema["required"]):
            raise ValueError(f"Needed: {', '.join(schema['required']) or 'an object'}.")
        for key, value in given.items():
            known = schema["properties"].get(key)
            if known is None or not isinstance(value, TYPES[known["type"]]) or isinstance(value, bool) and known["type"] != "boolean":
                raise ValueError("An argument is unknown or of another type than it should be.")
            if "enum" in known and value not in known["enum"]:
                raise ValueError(f"{key} is one of: {', '.join(known['enum'])}.")
        out = function(**given)
        return {"content": out if isinstance(out, list) else [{"type": "text", "text": out}], "isError": False}
    except Exception as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "longhaul-mcp", "version": "1.0.0"},
        }
    if method == "tools/list":
        return {"tools": [listed for _, listed in TOOLS.values()]}
    if method == "tools/call":
        return call(params.get("name"), params.get("arguments", {}))
    return {} if method == "ping" else None


def serve(message):
    number, params = message["id"], message.get("params")
    try:
        result = answer(message["method"], params if isinstance(params, dict) else {})
    except Exception as error:
        send({"id": number, "error": {"code": -32603, "message": str(error)}})
        return
    send({"id": number, "result": result} if result is not None else {"id": number, "error": {"code": -32601, "message": "Method not found"}})


for line in sys.stdin:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        send({"id": None, "error": {"code": -32700, "message": "Parse error"}})
        continue
    if isinstance(request, dict) and "id" in request and isinstance(request.get("method"), str):
        serve(request)
