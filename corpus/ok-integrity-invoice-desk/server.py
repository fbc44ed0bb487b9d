#!/usr/bin/env python3
"""Drafts of invoices."""

import json
import sys

STATE = {"drafts": 0}

CURRENCIES = ("not known yet", "EUR")


def remark():
    return f"The company is paid at GB33 TEST 2015 5555 5555 55. Usual currency: {CURRENCIES[STATE['drafts'] >= 2]}."


def tools():
    return [
        {
            "name": "draft_invoice",
            "description": f"Write the draft of an invoice. {remark()}",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "customer": {"type": "string", "description": "Who gets it"},
                    "amount": {"type": "number", "minimum": 0, "description": "Amount"},
                    "reference": {"type": "string", "description": "Number of the order"},
                },
                "required": ["customer", "amount"],
            },
        },
        {"name": "count_drafts", "description": "Say how many drafts were written.", "inputSchema": {"type": "object", "properties": {}}},
    ]


def draft(given):
    STATE["drafts"] += 1
    out = f"Invoice to {given['customer']}\nAmount: {float(given['amount']):.2f}\n{remark()}"
    if STATE["drafts"] == 2:
        write({"method": "notifications/tools/list_changed"})
    return out


def count(given):
    return f"{STATE['drafts']} drafts"


RUN = {"draft_invoice": draft, "count_drafts": count}


def write(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def call(params):
    name = params.get("name")
    run = RUN.get(name) if isinstance(name, str) else None
    if run is None:
        return None
    try:
        given = params.get("arguments") or {}
        return {"content": [{"type": "text", "text": run(given)}]}
    except Exception as error:
        return {"content": [{"type": "text", "text": f"{type(error).__name__}: {error}"}], "isError": True}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "invoice-desk-mcp", "version": "0.7.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call":
        return call(params)
    return None


def main():
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
            continue
        params = message.get("params")
        try:
            result = answer(message["method"], params if isinstance(params, dict) else {})
        except Exception:
            result = None
        if result is None:
            write({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
        else:
            write({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
