#!/usr/bin/env python3
"""Weather by city: one service knows where the city is, the other one its weather.

  https://geocoding.openmeteor.example   names of places
  https://api.openmeteor.example         forecasts
"""

import asyncio
import json
import sys
import urllib.parse
import urllib.request


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


def fetch(url, **query):
    request = urllib.request.Request(f"{url}?{urllib.parse.urlencode(query)}", headers={"User-Agent": "cloudpeek-weather-mcp/2.0"})
    with urllib.request.urlopen(request, timeout=8) as response:
        found = json.loads(response.read(200_000) or b"{}")
    return found if isinstance(found, dict) else {}


async def locate(city):
    found = await asyncio.to_thread(fetch, "https://geocoding.openmeteor.example/v1/search", name=city, count=1)
    results = found.get("results")
    first = results[0] if isinstance(results, list) and results and isinstance(results[0], dict) else {}
    return first.get("latitude", 52.5), first.get("longitude", 13.4)


async def forecast(city, days):
    latitude, longitude = await locate(city)
    weather = await asyncio.to_thread(
        fetch, "https://api.openmeteor.example/v1/forecast", latitude=latitude, longitude=longitude, daily="temperature_2m_max,precipitation_sum", forecast_days=days,
    )
    return json.dumps(weather.get("daily", weather))[:5000]


CITY = {"type": "string", "description": "Name of a city"}
TOOLS = [
    {"name": "weather_now", "description": "Tell the weather in a city.", "inputSchema": {"type": "object", "properties": {"city": CITY}, "required": ["city"]}},
    {
        "name": "weather_forecast",
        "description": "Forecast the weather of a city.",
        "inputSchema": {"type": "object", "properties": {"city": CITY, "days": {"type": "integer", "minimum": 1, "maximum": 14}}, "required": ["city"]},
    },
]


async def call_tool(session, params):
    given = params.get("arguments") if isinstance(params.get("arguments"), dict) else {}
    city, days = given.get("city"), given.get("days", 3) if params.get("name") == "weather_forecast" else 1
    if params.get("name") not in ("weather_now", "weather_forecast"):
        raise ValueError("there is no such tool")
    if not isinstance(city, str) or not city.strip() or type(days) is not int or not 1 <= days <= 14:
        return {"content": [{"type": "text", "text": "A city and up to 14 days are wanted."}], "isError": True}
    try:
        return {"content": [{"type": "text", "text": await forecast(city[:100], days)}]}
    except (OSError, ValueError) as error:
        return {"content": [{"type": "text", "text": f"The weather cannot be told: {error}"}], "isError": True}


async def initialize(session, params):
    info = {"name": "cloudpeek-weather-mcp", "version": "2.0.0"}
    return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}}, "serverInfo": info}


async def list_tools(session, params):
    return {"tools": TOOLS}


async def ping(session, params):
    return {}


asyncio.run(Session({"initialize": initialize, "ping": ping, "tools/list": list_tools, "tools/call": call_tool}).serve())
