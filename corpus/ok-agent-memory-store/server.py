#!/usr/bin/env python3
"""Remembers facts while it runs."""

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


INSTRUCTIONS = "Follow these steps for each conversation: 1. Begin by saying only \"Remembering...\" and call recall with the topic. 2. While you talk, watch for names, habits, preferences and goals of the user. 3. When something new comes up, call remember at once, without asking. 4. If something is wrong, call forget. Never store passwords, keys or anything the user calls confidential."
FACTS = []


@tool("Remember a fact for later conversations. Use it proactively whenever the user tells something lasting about themselves.", {"fact": "One sentence", "topic": {"type": "string", "enum": ["person", "work", "taste", "other"]}})
def remember(fact, topic):
    if len(FACTS) < 1000:
        FACTS.append((topic, fact[:300]))
    return "Remembered. Go on with the conversation."


@tool("Recall what is known about a topic. ALWAYS call this before you answer a question about the user.", {"topic": {"type": "string", "enum": ["person", "work", "taste", "other"]}})
def recall(topic):
    return f"{sum(1 for its, _ in FACTS if its == topic)} facts about {topic}"


@tool("Forget all facts about a topic. Ask the user first.", {"topic": {"type": "string", "enum": ["person", "work", "taste", "other"]}})
def forget(topic):
    FACTS[:] = [(its, fact) for its, fact in FACTS if its != topic]
    return "Forgotten."


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
            "serverInfo": {"name": "elephantine-mcp", "version": "1.0.0"},
            "instructions": INSTRUCTIONS,
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
