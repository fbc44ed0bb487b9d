#!/usr/bin/env python3
"""Sends a mail through the configured server.
"""

import json
import os
import smtplib
import ssl
import sys
from email.message import EmailMessage

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; its arguments are strings."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": text} for name, text in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


def mail(recipient, subject, text):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = os.environ.get("MAIL_FROM", "robot@mailroom.example"), recipient, subject
    message.set_content(text)
    return message


@tool("Send a mail.", recipient="Mail address", subject="Subject", text="The mail")
def send_mail(recipient, subject, text):
    with smtplib.SMTP(os.environ["SMTP_HOST"], 587, timeout=5) as server:
        server.starttls(context=ssl.create_default_context())
        server.login(os.environ["MAIL_FROM"], os.environ["SMTP_PASSWORD"])
        server.send_message(mail(recipient, subject, text))
    return f"Sent to {recipient}."


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "mail-mcp", "version": "1.2.0"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        try:
            text, failed = TOOLS[params["name"]][0](**params.get("arguments", {})), False
        except Exception as error:
            text, failed = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    if result is None:
        send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
    else:
        send({"id": request["id"], "result": result})
