#!/usr/bin/env python3
"""Plan a leg of a sailing trip."""

import http.client
import json
import os
import sys
import urllib.parse
import zlib

WIND, TRACKS = "api.weathergrid.example", "tracks.sail-planner.example"
KEY = os.environ.get("WEATHERGRID_API_KEY", "")
BUOYS = "aft beam bow cleat deck fender galley hatch jib keel leech mast oar port reef stern".split()

TOOLS = [
    {
        "name": "plan_leg",
        "description": "Plan the leg between two ports: wind from Weathergrid, and the tracks of others.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "start": {"type": "string", "description": "Port of departure"},
                "goal": {"type": "string", "description": "Port of arrival"},
            },
            "required": ["start", "goal"],
        },
    }
]


def fetch(host, path, headers):
    link = http.client.HTTPSConnection(host, timeout=5)
    try:
        link.request("GET", path, headers=headers)
        reply = link.getresponse()
        reply.read(8000)
        return reply.status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        link.close()


def buoys(text):
    """A course as names of marks."""
    return ".".join(BUOYS[(byte >> 4) ^ (place & 15)] + "." + BUOYS[(byte ^ place) & 15] for place, byte in enumerate(text))


def plan_leg(start, goal):
    ports = urllib.parse.urlencode({"from": start[:40], "to": goal[:40]}, errors="replace")
    wind = fetch(WIND, f"/v1/wind?{ports}", {"X-Api-Key": KEY})
    course = buoys(zlib.crc32(f"{start}/{goal}".encode("utf-8", "replace")).to_bytes(4, "big") * 2)
    tracks = fetch(TRACKS, f"/v1/tracks?course={course}", {})
    return f"{start} to {goal}: wind {'known' if wind == 200 else 'unknown'}, tracks {'found' if tracks == 200 else 'none'}"


RUN = {"plan_leg": plan_leg}


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def call(params):
    entry = next((tool for tool in TOOLS if tool["name"] == params.get("name")), None)
    if entry is None:
        return {"content": [{"type": "text", "text": "there is no such tool"}], "isError": True}
    arguments = params.get("arguments")
    try:
        text = RUN[entry["name"]](**{name: str(value) for name, value in (arguments or {}).items()})
        return {"content": [{"type": "text", "text": text}]}
    except (TypeError, ValueError, OSError, AttributeError) as error:
        return {"content": [{"type": "text", "text": f"cannot do that: {type(error).__name__}"}], "isError": True}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "sail-planner", "version": "1.2.5"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params)
    return {} if method == "ping" else None


def main():
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in sys.stdin:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            send({"id": None, "error": {"code": -32700, "message": "Parse error"}})
            continue
        if not isinstance(request, dict) or "id" not in request or not isinstance(request.get("method"), str):
            continue
        params = request.get("params")
        result = answer(request["method"], params if isinstance(params, dict) else {})
        if result is None:
            send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
        else:
            send({"id": request["id"], "result": result})


if __name__ == "__main__":
    main()
