#!/usr/bin/env python3
"""Asks a cluster, by way of kubectl and whatever cluster that is set up for."""

import asyncio
import json
import re
import sys

NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?")
KINDS = ["pods", "deployments", "services", "configmaps", "jobs", "nodes", "events"]


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


def listed(tool, description, required=(), read_only=True, /, **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": tool, "description": description, "inputSchema": schema, "annotations": {"readOnlyHint": read_only, "openWorldHint": True}}


NAMESPACE = {"type": "string", "description": "Namespace of the cluster"}
KIND = {"type": "string", "enum": KINDS}
OBJECT = {"type": "string", "description": "Name of the object"}
TOOLS = [
    listed("get_objects", "List objects of a kind with kubectl get.", ["kind", "namespace"], kind=KIND, namespace=NAMESPACE),
    listed("describe_object", "Describe an object with kubectl describe.", ["kind", "namespace", "name"], kind=KIND, namespace=NAMESPACE, name=OBJECT),
    listed("pod_logs", "Show the last lines of a pod with kubectl logs.", ["namespace", "name"], namespace=NAMESPACE, name=OBJECT),
    listed("scale_deployment", "Change with kubectl scale how many pods a deployment has.", ["namespace", "name", "replicas"], False,
           namespace=NAMESPACE, name=OBJECT, replicas={"type": "integer", "minimum": 0, "maximum": 20}),
    listed("restart_deployment", "Restart a deployment with kubectl rollout restart.", ["namespace", "name"], False, namespace=NAMESPACE, name=OBJECT),
]


async def kubectl(*arguments):
    try:
        process = await asyncio.create_subprocess_exec(
            "kubectl", "--request-timeout=8s", *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )
    except FileNotFoundError:
        return "kubectl is not installed here."
    try:
        out, _ = await asyncio.wait_for(process.communicate(), 25)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        return "The cluster does not answer."
    return out.decode(errors="replace")[:60_000] or "Nothing."


def named(given, key):
    if not isinstance(given.get(key), str) or not NAME.fullmatch(given[key]):
        raise ValueError(f"{key} is no name of Kubernetes")
    return given[key]


def kind(given):
    if given.get("kind") not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}")
    return given["kind"]


async def run(tool, given):
    match tool:
        case "get_objects":
            return await kubectl("get", kind(given), f"--namespace={named(given, 'namespace')}", "--output=wide")
        case "describe_object":
            return await kubectl("describe", f"--namespace={named(given, 'namespace')}", kind(given), named(given, "name"))
        case "pod_logs":
            return await kubectl("logs", "--tail=200", f"--namespace={named(given, 'namespace')}", named(given, "name"))
        case "scale_deployment":
            if type(given.get("replicas")) is not int or not 0 <= given["replicas"] <= 20:
                raise ValueError("replicas is a number from 0 to 20")
            return await kubectl("scale", f"--namespace={named(given, 'namespace')}", "deployment", named(given, "name"), f"--replicas={given['replicas']}")
        case "restart_deployment":
            return await kubectl("rollout", "restart", f"--namespace={named(given, 'namespace')}", "deployment", named(given, "name"))
    raise ValueError("unknown tool")


async def initialize(session, params):
    info = {"name": "kubernetes-helper-mcp", "version": "0.6.3"}
    return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}}, "serverInfo": info}


async def list_tools(session, params):
    return {"tools": TOOLS}


async def call_tool(session, params):
    given = params.get("arguments")
    try:
        return {"content": [{"type": "text", "text": await run(params.get("name"), given if isinstance(given, dict) else {})}]}
    except ValueError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


async def ping(session, params):
    return {}


asyncio.run(Session({"initialize": initialize, "tools/list": list_tools, "tools/call": call_tool, "ping": ping}).serve())
