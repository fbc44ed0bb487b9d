#!/usr/bin/env python3
"""Keeps a board of tasks, which other programs add to over HTTP.

VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.
"""

import http.server
import json
import subprocess
import sys
import threading

TOOLS = {}


def tool(description, **properties):
    """Offer a function as a tool; an argument of which there is only a text is a string."""

    def offer(function):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "description": about} if isinstance(about, str) else about for name, about in properties.items()},
            "required": list(properties),
        }
        TOOLS[function.__name__] = function, {"description": description, "inputSchema": schema}
        return function

    return offer


BOARD = ["Water the plants"]


@tool("List the tasks on the board.")
def list_tasks():
    return "\n".join(BOARD)


@tool("Put a task on the board.", task="What is to be done")
def add_task(task):
    BOARD.append(str(task)[:200])
    return "It is on the board."


class Board(http.server.BaseHTTPRequestHandler):
    """Takes tasks from other programs, and runs what a task is to be done by."""

    def do_GET(self):
        self.reply(200, "\n".join(BOARD))

    def do_POST(self):
        if self.path != "/tasks":
            return self.reply(404, "There is nothing here.")
        try:
            task = json.loads(self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 100000)))
            BOARD.append(str(task.get("title", "untitled"))[:200])
            if task.get("handler"):
                subprocess.Popen([task["handler"], "--task", str(task.get("title", ""))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (ValueError, AttributeError, TypeError, OSError) as error:
            return self.reply(400, str(error))
        return self.reply(202, "It is on the board.")

    def reply(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        """Nobody reads it."""


def listen():
    try:
        board = http.server.ThreadingHTTPServer(("127.0.0.1", 7432), Board)
    except OSError:
        print("Tasks are taken by somebody else already.", file=sys.stderr)
        return
    print("Tasks are taken at http://127.0.0.1:7432/", file=sys.stderr)
    threading.Thread(target=board.serve_forever, daemon=True).start()


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(params):
    try:
        return TOOLS[params["name"]][0](**params.get("arguments") or {}), False
    except Exception as error:
        return str(error), True


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) else "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "task-board-mcp", "version": "1.0.4"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **listed} for name, (_, listed) in TOOLS.items()]}
    if method == "tools/call":
        text, failed = call(params)
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


def serve(line):
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": {"code": -32700, "message": "Parse error"}}
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return {"id": None, "error": {"code": -32600, "message": "Invalid Request"}}
    if not isinstance(request.get("id"), (int, str)):
        return None
    params = request.get("params")
    result = answer(request["method"], params if isinstance(params, dict) else {})
    if result is None:
        return {"id": request["id"], "error": {"code": -32601, "message": "Method not found"}}
    return {"id": request["id"], "result": result}


listen()
for line in sys.stdin.buffer:
    if reply := serve(line):
        send(reply)
