"""A server with one of everything that the official SDK for Python offers.

    everything-py [stdio | sse | streamable-http]
"""

import sys

import anyio
import mcp_types as types
import uvicorn
from mcp.server import NotificationOptions, Server
from mcp.server.sse import SseServerTransport
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route

PORT = 3001
PAGE = 4


def text(said):
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)])


def described(name, description, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return types.Tool(name=name, description=description, input_schema=schema)


TEXT = {"type": "string", "description": "Any text"}
TOOLS = [
    described("echo", "Say what was said.", message=TEXT),
    described("count", "Count to three and tell how far it is."),
    described("log", "Write a line into the log."),
    described("slow", "Take two seconds."),
    described("sample", "Ask the model something.", prompt=TEXT),
    described("elicit", "Ask the user for a name."),
    described("roots", "Tell which folders there are."),
    described("change", "Change what is offered."),
]


def page(items, params):
    """Give a part of a list, and say where it goes on."""
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return items[start:end], str(end) if end < len(items) else None


async def list_tools(ctx, params):
    tools, cursor = page(TOOLS, params)
    return types.ListToolsResult(tools=tools, next_cursor=cursor)


async def call_tool(ctx, params):
    given = params.arguments or {}
    session = ctx.session
    match params.name:
        case "echo":
            return text(str(given.get("message")))
        case "count":
            for i in range(3):
                await session.report_progress(i + 1, 3, "counting")
            return text("1, 2, 3")
        case "log":
            await session.send_log_message(level="info", data="something was done", logger="everything", related_request_id=ctx.request_id)
            return text("Written.")
        case "slow":
            await anyio.sleep(2)
            return text("Done.")
        case "sample":
            question = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=str(given.get("prompt"))))
            answer = await session.create_message(messages=[question], max_tokens=100, related_request_id=ctx.request_id)
            return text(str(answer.content))
        case "elicit":
            form = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
            answer = await session.elicit_form("What is your name?", form, related_request_id=ctx.request_id)
            return text(answer.action)
        case "roots":
            return text(str(len((await session.list_roots()).roots)))
        case "change":
            await session.send_tool_list_changed()
            await session.send_resource_list_changed()
            await session.send_prompt_list_changed()
            return text("Changed.")
    raise ValueError("There is no such tool.")


RESOURCES = [types.Resource(uri=f"notes://{i}", name=f"note {i}", mime_type="text/plain") for i in range(1, 7)]


async def list_resources(ctx, params):
    resources, cursor = page(RESOURCES, params)
    return types.ListResourcesResult(resources=resources, next_cursor=cursor)


async def list_templates(ctx, params):
    return types.ListResourceTemplatesResult(resource_templates=[types.ResourceTemplate(uri_template="notes://{number}", name="note")])


async def read_resource(ctx, params):
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, text="A note.", mime_type="text/plain")])


async def subscribe(ctx, params):
    await ctx.session.send_resource_updated(params.uri)
    return types.EmptyResult()


async def unsubscribe(ctx, params):
    return types.EmptyResult()


PROMPT = types.Prompt(name="greet", description="Greet somebody.", arguments=[types.PromptArgument(name="name", description="Who is greeted", required=True)])


async def list_prompts(ctx, params):
    return types.ListPromptsResult(prompts=[PROMPT])


async def get_prompt(ctx, params):
    said = types.TextContent(type="text", text=f"Greet {(params.arguments or {}).get('name')}.")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=said)])


async def complete(ctx, params):
    return types.CompleteResult(completion=types.Completion(values=[params.argument.value + "nna"]))


async def set_level(ctx, params):
    return types.EmptyResult()


SERVER = Server(
    "everything-py",
    version="1.0.0",
    instructions="Has one of everything.",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_list_resource_templates=list_templates,
    on_read_resource=read_resource,
    on_subscribe_resource=subscribe,
    on_unsubscribe_resource=unsubscribe,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_completion=complete,
    on_set_logging_level=set_level,
)


def options():
    return SERVER.create_initialization_options(NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True))


async def stdio():
    async with stdio_server() as (read, write):
        await SERVER.run(read, write, options())


def sse():
    transport = SseServerTransport("/messages/")

    async def connect(request):
        async with transport.connect_sse(request.scope, request.receive, request._send) as (read, write):
            await SERVER.run(read, write, options())
        return Response()

    return Starlette(routes=[Route("/sse", connect), Mount("/messages/", transport.handle_post_message)])


def main():
    how = sys.argv[1] if len(sys.argv) > 1 else "stdio"
    if how == "stdio":
        anyio.run(stdio)
        return
    app = sse() if how == "sse" else SERVER.streamable_http_app()
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")


if __name__ == "__main__":
    main()
