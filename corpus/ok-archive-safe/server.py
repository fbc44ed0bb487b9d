#!/usr/bin/env python3
"""Zip archives in one folder: what climbs out of it, links or swells is refused."""

import asyncio
import json
import stat
import sys
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
LARGEST, MOST = 50 << 20, 2000


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


def inside(path):
    if not isinstance(path, str) or "\0" in path or len(path) > 1000:
        raise ValueError("that is no path")
    at = (ROOT / path).resolve()
    if at != ROOT and ROOT not in at.parents:
        raise ValueError("the path is outside of the folder")
    return at


def pack(folder, archive):
    source, target = inside(folder), inside(archive)
    if target.suffix != ".zip":
        target = target.with_name(target.name + ".zip")
    files = [path for path in sorted(source.rglob("*")) if path.is_file() and not path.is_symlink() and path != target][:MOST]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for path in files:
            out.write(path, path.relative_to(source))
    return f"{len(files)} files are in {target.relative_to(ROOT)}."


def fitting(archive):
    """The entries of an archive, if all of them can be unpacked without harm."""
    entries, total = archive.infolist(), 0
    if len(entries) > MOST:
        raise ValueError("the archive has too many entries")
    for entry in entries:
        total += entry.file_size
        name = PurePosixPath(entry.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or ":" in entry.filename or stat.S_ISLNK(entry.external_attr >> 16):
            raise ValueError(f"the archive has an entry that does not belong into one: {entry.filename[:80]!r}")
    if total > LARGEST:
        raise ValueError("the archive would be too large unpacked")
    return entries


def open_archive(path):
    at = inside(path)
    if not zipfile.is_zipfile(at):
        return None
    return zipfile.ZipFile(at)


def unpack(archive, folder):
    packed = open_archive(archive)
    if packed is None:
        return "That is no zip archive."
    target = inside(folder)
    with packed:
        entries = fitting(packed)
        target.mkdir(parents=True, exist_ok=True)
        for entry in entries:
            if target not in inside(str((target / entry.filename).relative_to(ROOT))).parents:
                raise ValueError("a link in the folder leads out of it")
            packed.extract(entry, target)
    return f"{len(entries)} entries were unpacked into {target.relative_to(ROOT)}."


def contents(archive):
    packed = open_archive(archive)
    if packed is None:
        return "That is no zip archive."
    with packed:
        return "\n".join(f"{entry.file_size:>10} {entry.filename}" for entry in packed.infolist()[:MOST]) or "It is empty."


ARCHIVE = {"type": "string", "description": "Path of the zip archive"}
TOOLS = {
    "pack_folder": (pack, "Pack a folder into a zip archive.", {"folder": {"type": "string", "description": "Folder to pack"}, "archive": {"type": "string", "description": "Path of the archive to write"}}),
    "list_archive": (contents, "List what is in a zip archive.", {"archive": ARCHIVE}),
    "unpack_archive": (unpack, "Unpack a zip archive into a folder. Files of the same name are replaced.", {"archive": ARCHIVE, "folder": {"type": "string", "description": "Folder to unpack to"}}),
}


async def initialize(session, params):
    return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}}, "serverInfo": {"name": "zipdesk-mcp", "version": "1.1.0"}}


async def list_tools(session, params):
    return {"tools": [
        {"name": name, "description": about, "inputSchema": {"type": "object", "properties": schema, "required": list(schema)}} for name, (_, about, schema) in TOOLS.items()
    ]}


async def call_tool(session, params):
    function, _, schema = TOOLS[params["name"]]
    given = params.get("arguments") or {}
    try:
        return {"content": [{"type": "text", "text": await asyncio.to_thread(function, *(given[key] for key in schema))}]}
    except (KeyError, TypeError, ValueError, OSError, RuntimeError, zipfile.BadZipFile) as error:
        return {"content": [{"type": "text", "text": f"Not done: {error}"}], "isError": True}


async def ping(session, params):
    return {}


asyncio.run(Session({"initialize": initialize, "ping": ping, "tools/list": list_tools, "tools/call": call_tool}).serve())
