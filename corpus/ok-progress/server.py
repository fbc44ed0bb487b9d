#!/usr/bin/env python3
"""Simulations that take a while. The tools say how long, tell their progress and can be cancelled."""

import asyncio
import json
import random
import sys


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


TOOLS = [
    {
        "name": "simulate_queue",
        "description": "Simulate a queue at a counter. This takes some seconds; progress is told.",
        "inputSchema": {"type": "object", "properties": {"rounds": {"type": "integer", "minimum": 1, "maximum": 20, "description": "Half a second each"}}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    {
        "name": "wait_for_calm",
        "description": "Wait until the simulated sea is calm. This is slow on purpose and takes up to three seconds.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
]


async def simulate(session, token, rounds):
    waiting, longest = 0, 0
    for step in range(rounds):
        await asyncio.sleep(0.5)
        waiting = max(0, waiting + random.randint(-2, 3))
        longest = max(longest, waiting)
        if token is not None:
            session.notify("notifications/progress", progressToken=token, progress=step + 1, total=rounds, message=f"{waiting} people are waiting")
    return f"At most {longest} people were waiting."


async def call_tool(session, params):
    given = params.get("arguments") if isinstance(params.get("arguments"), dict) else {}
    meta = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
    if params.get("name") == "simulate_queue":
        rounds = given.get("rounds", 4)
        if type(rounds) is not int or not 1 <= rounds <= 20:
            return {"content": [{"type": "text", "text": "rounds is a number from 1 to 20"}], "isError": True}
        text = await simulate(session, meta.get("progressToken"), rounds)
    elif params.get("name") == "wait_for_calm":
        await asyncio.sleep(random.uniform(1, 3))
        text = "The sea is calm."
    else:
        raise ValueError("unknown tool")
    return {"content": [{"type": "text", "text": text}]}


async def initialize(session, params):
    return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}}, "serverInfo": {"name": "slowbake-mcp", "version": "0.1.0"}}


async def list_tools(session, params):
    return {"tools": TOOLS}


async def ping(session, params):
    return {}


asyncio.run(Session({"initialize": initialize, "ping": ping, "tools/list": list_tools, "tools/call": call_tool}).serve())
