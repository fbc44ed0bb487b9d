#!/usr/bin/env python3
"""Issues, merge requests and files of a self-hosted GitForge, with an access token."""

import asyncio
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

BASE = os.environ.get("GITFORGE_URL", "https://gitforge.example").rstrip("/") + "/api/v4"
TOKEN = os.environ.get("GITFORGE_TOKEN", "")


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


def listed(tool, description, required, hints, /, **properties):
    properties = {key: {"type": "string", "description": about} if isinstance(about, str) else about for key, about in properties.items()}
    return {"name": tool, "description": description, "inputSchema": {"type": "object", "properties": properties, "required": required}, "annotations": hints}


READS, WRITES = {"readOnlyHint": True}, {"readOnlyHint": False, "destructiveHint": False}
PROJECT, NUMBER = "Project, e.g. team/app", {"type": "integer", "minimum": 1}
TOOLS = [
    listed("list_issues", "List the open issues of a project.", ["project"], READS, project=PROJECT, search="Words to look for"),
    listed("create_issue", "Open an issue.", ["project", "title"], WRITES, project=PROJECT, title="Title", description="Text"),
    listed("comment_issue", "Write a comment to an issue.", ["project", "issue", "body"], WRITES, project=PROJECT, issue=NUMBER, body="The comment"),
    listed("close_issue", "Close an issue.", ["project", "issue"], {"readOnlyHint": False, "destructiveHint": True}, project=PROJECT, issue=NUMBER),
    listed("merge_request_changes", "Show what a merge request changes.", ["project", "merge_request"], READS, project=PROJECT, merge_request=NUMBER),
    listed("read_repository_file", "Read a file of a repository.", ["project", "file_path"], READS, project=PROJECT, file_path="Path in the repository", branch="Branch"),
]


def request(method, path, query=None, body=None):
    url = BASE + path + ("?" + urllib.parse.urlencode(query) if query else "")
    data = None if body is None else json.dumps(body).encode()
    headers = {"PRIVATE-TOKEN": TOKEN, "Content-Type": "application/json", "User-Agent": "gitforge-mcp/1.2"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=8) as response:
            return response.read(200_000).decode(errors="replace")
    except urllib.error.HTTPError as error:
        raise ValueError(f"GitForge answered with {error.code}") from None
    except OSError as error:
        raise ValueError(f"GitForge cannot be reached: {error}") from None


def text(given, key, default=None):
    value = given.get(key, default)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{key} is a text that is not empty")
    return value


def number(given, key):
    if type(given.get(key)) is not int or not 0 < given[key] < 10**9:
        raise ValueError(f"{key} is a number")
    return given[key]


def perform(tool, given):
    at = "/projects/" + urllib.parse.quote(text(given, "project"), safe="")
    match tool:
        case "list_issues":
            return request("GET", at + "/issues", {"state": "opened", "search": given.get("search", "")})
        case "create_issue":
            return request("POST", at + "/issues", body={"title": text(given, "title"), "description": str(given.get("description", ""))})
        case "comment_issue":
            return request("POST", f"{at}/issues/{number(given, 'issue')}/notes", body={"body": text(given, "body")})
        case "close_issue":
            return request("PUT", f"{at}/issues/{number(given, 'issue')}", body={"state_event": "close"})
        case "merge_request_changes":
            return request("GET", f"{at}/merge_requests/{number(given, 'merge_request')}/changes")
        case "read_repository_file":
            path = urllib.parse.quote(text(given, "file_path"), safe="")
            return request("GET", f"{at}/repository/files/{path}/raw", {"ref": text(given, "branch", "main")})
    raise ValueError("unknown tool")


async def call_tool(session, params):
    given = params.get("arguments")
    try:
        out = await asyncio.to_thread(perform, params.get("name"), given if isinstance(given, dict) else {})
        return {"content": [{"type": "text", "text": out or "Done."}]}
    except ValueError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


async def initialize(session, params):
    return {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "gitforge-mcp", "title": "GitForge", "version": "1.2.0"},
    }


async def list_tools(session, params):
    return {"tools": TOOLS}


async def ping(session, params):
    return {}


asyncio.run(Session({"initialize": initialize, "ping": ping, "tools/list": list_tools, "tools/call": call_tool}).serve())
