"""The smallest MCP server that test cases are written on: name a function a
tool and it is one. Runs only inside the sandbox."""
import json
import sys

TOOLS = {}


def tool(fn):
    TOOLS[fn.__name__] = fn
    return fn


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def listing(name, fn):
    code = fn.__code__
    names = code.co_varnames[: code.co_argcount]
    return {
        "name": name,
        "description": fn.__doc__ or name,
        "inputSchema": {
            "type": "object",
            "properties": {n: {"type": "string"} for n in names},
            "required": list(names),
        },
    }


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "case", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [listing(n, f) for n, f in TOOLS.items()]}
    if method == "tools/call":
        try:
            text = TOOLS[params["name"]](**params.get("arguments", {}))
            return {"content": [{"type": "text", "text": str(text)}]}
        except Exception as e:  # the case itself went wrong: say so
            return {"content": [{"type": "text", "text": repr(e)}], "isError": True}
    return {}


def serve():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        send({"jsonrpc": "2.0", "id": message["id"], "result": result})
