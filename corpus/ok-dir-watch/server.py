#!/usr/bin/env python3
"""Watches one folder and tells the client when something in it changes."""

import asyncio
import json
import os
import sys

FOLDER = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ".")
URI = "watch://changes"


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


def snapshot():
    seen = {}
    for folder, folders, names in os.walk(FOLDER):
        folders[:] = [name for name in sorted(folders) if name != ".git"][:200]
        for name in names[:2000]:
            try:
                info = os.lstat(os.path.join(folder, name))
            except OSError:
                continue
            seen[os.path.relpath(os.path.join(folder, name), FOLDER)] = (info.st_mtime_ns, info.st_size)
    return seen


class Watch:
    def __init__(self):
        self.before, self.changes, self.task = snapshot(), [], None

    def look(self):
        now = snapshot()
        new = [f"new: {name}" for name in now.keys() - self.before.keys()]
        gone = [f"gone: {name}" for name in self.before.keys() - now.keys()]
        other = [f"changed: {name}" for name in now.keys() & self.before.keys() if now[name] != self.before[name]]
        self.before = now
        self.changes = (self.changes + sorted(new + gone + other))[-500:]
        return bool(new or gone or other)

    async def keep_looking(self, session, seconds):
        while True:
            await asyncio.sleep(seconds)
            if self.look():
                session.notify("notifications/resources/updated", uri=URI)


watch = Watch()
SECONDS = {"seconds": {"type": "integer", "minimum": 1, "maximum": 3600, "description": "How often to look"}}
TOOLS = [
    {"name": "start_watching", "description": "Look at the folder again and again, and tell the client of changes.", "inputSchema": {"type": "object", "properties": SECONDS}},
    {"name": "stop_watching", "description": "Stop looking at the folder.", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "recent_changes", "description": "List what has changed since the server was started.", "inputSchema": {"type": "object", "properties": {}}},
]


async def perform(session, name, given):
    if name == "start_watching":
        seconds = given.get("seconds", 2)
        if type(seconds) is not int or not 1 <= seconds <= 3600:
            return "seconds is a number from 1 to 3600", True
        if watch.task:
            watch.task.cancel()
        watch.task = asyncio.create_task(watch.keep_looking(session, seconds))
        return f"The folder is looked at every {seconds} s.", False
    if name == "stop_watching":
        if watch.task:
            watch.task.cancel()
        watch.task = None
        return "Nobody is looking any more.", False
    if name == "recent_changes":
        watch.look()
        return "\n".join(watch.changes) or "Nothing has changed.", False
    return "unknown tool", True


async def initialize(session, params):
    return {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"),
        "capabilities": {"tools": {}, "resources": {"subscribe": True}},
        "serverInfo": {"name": "folderwatch-mcp", "version": "0.4.0"},
    }


async def list_tools(session, params):
    return {"tools": TOOLS}


async def call_tool(session, params):
    given = params.get("arguments")
    text, failed = await perform(session, params.get("name"), given if isinstance(given, dict) else {})
    return {"content": [{"type": "text", "text": text}], "isError": failed}


async def list_resources(session, params):
    return {"resources": [{"uri": URI, "name": "Changes in the folder", "mimeType": "text/plain"}]}


async def read_resource(session, params):
    if params.get("uri") != URI:
        raise ValueError("there is no such resource")
    watch.look()
    return {"contents": [{"uri": URI, "mimeType": "text/plain", "text": "\n".join(watch.changes)}]}


async def nothing(session, params):
    return {}


async def main():
    session = Session({
        "initialize": initialize, "ping": nothing, "tools/list": list_tools, "tools/call": call_tool, "resources/list": list_resources,
        "resources/read": read_resource, "resources/subscribe": nothing, "resources/unsubscribe": nothing,
    })
    await session.serve()
    if watch.task:
        watch.task.cancel()


asyncio.run(main())
