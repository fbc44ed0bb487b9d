#!/usr/bin/env python3
"""Reminders: after the time that the caller names, the client gets a message."""

import asyncio
import itertools
import json
import sys

pending: dict[int, tuple[str, asyncio.Task]] = {}
numbers = itertools.count(1)


class Session:
    """A JSON-RPC peer on standard input and output: it answers, and may ask."""

    def __init__(self, handlers):
        self.handlers, self.waiting, self.running, self.number = handlers, {}, {}, 0

    def send(self, message):
        sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        sys.stdout.buffer.flush()

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    async def ask(self, method, **params):
        self.number += 1
        future = self.waiting[f"s{self.number}"] = asyncio.get_running_loop().create_future()
        self.send({"id": f"s{self.number}", "method": method, "params": params})
        return await asyncio.wait_for(future, 30)

    async def reply(self, message):
        handler, params = self.handlers.get(message["method"]), message.get("params")
        if handler is None:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
            return
        try:
            result = await handler(self, params if isinstance(params, dict) else {})
            self.send({"id": message["id"], "result": result})
        except asyncio.CancelledError:
            pass  # nobody waits for it any more
        except (KeyError, TypeError, ValueError) as error:
            self.send({"id": message["id"], "error": {"code": -32602, "message": f"Invalid params: {error}"}})

    def receive(self, line):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self.send({"id": None, "error": {"code": -32700, "message": "Parse error"}})
            return
        if not isinstance(message, dict):
            return
        if "method" not in message:
            future = self.waiting.pop(message.get("id"), None) if isinstance(message.get("id"), str) else None
            if future and not future.done():
                future.set_result(message.get("result") or {})
        elif message["method"] == "notifications/cancelled" and isinstance(message.get("params"), dict):
            task = self.running.get(str(message["params"].get("requestId")))
            if task:
                task.cancel()
        elif "id" in message and isinstance(message["method"], str):
            task = asyncio.create_task(self.reply(message))
            self.running[str(message["id"])] = task
            task.add_done_callback(lambda _, key=str(message["id"]): self.running.pop(key, None))

    async def serve(self):
        reader = asyncio.StreamReader(limit=1 << 24)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            self.receive(line)
        await asyncio.gather(*self.running.values(), return_exceptions=True)


async def ring(session, number, seconds, text):
    await asyncio.sleep(seconds)
    pending.pop(number, None)
    session.notify("notifications/message", level="notice", logger="knockknock", data=f"Reminder {number}: {text}")


TOOLS = [
    {
        "name": "remind_me",
        "description": "Give a reminder after some minutes, as a message to the client.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What to remind of"}, "minutes": {"type": "number", "minimum": 0.01, "maximum": 1440}},
            "required": ["text", "minutes"],
        },
    },
    {"name": "list_reminders", "description": "List the reminders that are still to come.", "inputSchema": {"type": "object", "properties": {}}},
    {
        "name": "cancel_reminder",
        "description": "Cancel a reminder.",
        "inputSchema": {"type": "object", "properties": {"number": {"type": "integer", "description": "Number of the reminder"}}, "required": ["number"]},
    },
]


def perform(session, name, given):
    match name:
        case "remind_me":
            text, minutes = given.get("text"), given.get("minutes")
            if not isinstance(text, str) or not isinstance(minutes, (int, float)) or not 0.01 <= minutes <= 1440:
                raise ValueError("text is a text, and minutes a number up to 1440")
            if len(pending) >= 100:
                raise ValueError("a hundred reminders are enough")
            number = next(numbers)
            pending[number] = text[:500], asyncio.create_task(ring(session, number, minutes * 60, text[:500]))
            return f"Reminder {number} is set."
        case "list_reminders":
            return "\n".join(f"{number}: {text}" for number, (text, _) in pending.items()) or "There are none."
        case "cancel_reminder":
            number = given.get("number")
            if not isinstance(number, int):
                raise ValueError("number is a number")
            _, task = pending.pop(number, (None, None))
            if task:
                task.cancel()
            return "Cancelled." if task else "There is no such reminder."
    raise ValueError("unknown tool")


async def initialize(session, params):
    return {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}, "logging": {}},
        "serverInfo": {"name": "knockknock-mcp", "version": "0.2.0"},
    }


async def list_tools(session, params):
    return {"tools": TOOLS}


async def call_tool(session, params):
    given = params.get("arguments")
    try:
        return {"content": [{"type": "text", "text": perform(session, params.get("name"), given if isinstance(given, dict) else {})}]}
    except ValueError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


async def nothing(session, params):
    return {}


async def main():
    handlers = {"initialize": initialize, "ping": nothing, "logging/setLevel": nothing, "tools/list": list_tools, "tools/call": call_tool}
    await Session(handlers).serve()
    for _, task in pending.values():
        task.cancel()


asyncio.run(main())
