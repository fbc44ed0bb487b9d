#!/usr/bin/env python3
"""Posts notices to one webhook, which the user has configured."""

import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request

URL, SECRET = os.environ.get("HOOKPOST_URL", ""), os.environ.get("HOOKPOST_SECRET", "").encode()
INFO = {"name": "hookpost-mcp", "version": "1.0.0"}
LEVELS = ("info", "warning", "critical")
TOOLS = [
    {
        "name": "post_notice",
        "description": "Post a notice to the configured webhook. Everybody who reads the channel behind it sees it.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "The notice"}, "level": {"type": "string", "enum": list(LEVELS)}},
            "required": ["text"],
        },
        "annotations": {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": True},
    },
    {
        "name": "test_webhook",
        "description": "Post a test notice.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"openWorldHint": True},
    },
]


def post(payload):
    if not URL.startswith("https://"):
        raise ValueError("HOOKPOST_URL is not set")
    body = json.dumps({**payload, "sent": int(time.time())}).encode()
    headers = {"Content-Type": "application/json", "X-Signature": "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()}
    for attempt in range(3):
        try:
            with urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=6) as response:
                return f"Posted ({response.status})."
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise ValueError(f"the webhook answered with {error.code}") from None
            time.sleep(0.2 * 2**attempt)
    raise ValueError("the webhook is out of order")


def call_tool(name, given):
    if name == "test_webhook":
        return post({"level": "info", "text": "This is a test."})
    if name == "post_notice":
        text, level = given["text"], given.get("level", "info")
        if not isinstance(text, str) or level not in LEVELS:
            raise ValueError("text is a text, and level one of " + ", ".join(LEVELS))
        return post({"level": level, "text": text[:4000]})
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
