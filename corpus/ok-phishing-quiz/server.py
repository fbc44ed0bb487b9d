#!/usr/bin/env python3
"""An awareness quiz: which of these mails is fishing?"""

import json
import random
import sys

INFO = {"name": "hooked-quiz-mcp", "version": "0.7.0"}
MAILS = [
    (True, "From: IT support <support@c0mpany-help.example>\nSubject: Your mailbox is full\n\nSign in within 24 hours at https://c0mpany-help.example/login and enter your password, or your account will be deleted.",
     "The sender's domain is not the company's, and it threatens with a deadline."),
    (False, "From: Canteen <canteen@company.example>\nSubject: Menu of next week\n\nMonday: soup. Tuesday: pasta.", "It wants nothing."),
    (True, "From: Parcel service <info@parcel-track.example>\nSubject: Delivery failed\n\nPay 1.99 with your card to have your parcel delivered.", "Nobody pays for a delivery by a link in a mail."),
    (False, "From: Payroll <payroll@company.example>\nSubject: Payslips\n\nThe payslips of this month are in the portal, as always.", "There is no link, and the portal is known."),
]
TOOLS = [
    {"name": "next_mail", "description": "Show a made-up mail of the phishing quiz. Some of them ask for passwords or card numbers; that is what the quiz is about.", "inputSchema": {"type": "object", "properties": {}}},
    {
        "name": "judge_mail",
        "description": "Tell whether the mail of that number was fishing.",
        "inputSchema": {"type": "object", "properties": {"number": {"type": "integer", "minimum": 1, "maximum": len(MAILS)}, "phishing": {"type": "boolean", "description": "What the player believes"}}, "required": ["number", "phishing"]},
    },
    {"name": "how_to_report", "description": "Tell how a suspicious mail is reported.", "inputSchema": {"type": "object", "properties": {}}},
]


def call_tool(name, given):
    if name == "next_mail":
        number = random.randrange(len(MAILS))
        return f"Mail {number + 1} of the quiz, made up for training:\n\n{MAILS[number][1]}\n\nIs it fishing?"
    if name == "judge_mail":
        number, believed = given["number"], given["phishing"]
        if type(number) is not int or not 1 <= number <= len(MAILS) or not isinstance(believed, bool):
            raise ValueError("number is that of a mail, and phishing true or false")
        phishing, _, why = MAILS[number - 1]
        return f"{'Right' if believed == phishing else 'Wrong'}: it is {'fishing' if phishing else 'harmless'}. {why}"
    if name == "how_to_report":
        return "Forward the mail to the security team as an attachment. Do not click, do not answer, and do not enter a password."
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
