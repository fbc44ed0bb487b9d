#!/usr/bin/env python3
"""An MCP server that keeps notes in Markdown files.

Each note is a file in the folder "notes" of the working directory. The server
speaks newline-delimited JSON-RPC on standard input and output, needs nothing
but Python 3.9, and touches nothing but its own folder.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import traceback
import unicodedata
from pathlib import Path
from typing import Any, Callable, NamedTuple
from urllib.parse import quote, unquote

FOLDER = Path("notes").absolute()
PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
MAX_TITLE = 100
MAX_TEXT = 100_000


# ---------------------------------------------------------------- notes ----


class NoteError(Exception):
    """Something the caller can fix; it becomes a tool result with isError."""


class Note(NamedTuple):
    title: str
    text: str


def file_of(title: str) -> Path:
    """The file of a note.

    The title itself never becomes a path: what is readable of it is kept, and
    a hash tells apart what looks alike.
    """
    readable = re.sub(r"[^a-z0-9]+", "-", title.lower())[:40].strip("-")
    digest = hashlib.sha256(title.encode()).hexdigest()[:12]
    return FOLDER / f"{readable or 'note'}-{digest}.md"


def parse_note(file: Path) -> Note | None:
    """A note's file is its title as a heading, an empty line, and the text."""
    with file.open(encoding="utf-8", newline="") as stream:
        match = re.fullmatch(r"# ([^\n]*)\n\n(.*)\n", stream.read(), re.DOTALL)
    return Note(match[1], match[2]) if match else None


def all_notes() -> list[Note]:
    notes = [parse_note(file) for file in FOLDER.glob("*.md")]
    return sorted(note for note in notes if note is not None)


def read_note(title: str) -> Note:
    file = file_of(title)
    note = parse_note(file) if file.is_file() else None
    if note is None:
        raise NoteError(f'There is no note with the title "{title}".')
    return note


def create_note(title: str, text: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        with file_of(title).open("x", encoding="utf-8", newline="") as stream:
            stream.write(f"# {title}\n\n{text}\n")
    except FileExistsError:
        raise NoteError(f'There already is a note with the title "{title}".') from None


def delete_note(title: str) -> None:
    read_note(title)
    file_of(title).unlink()


def search_notes(query: str) -> list[Note]:
    wanted = query.lower()
    return [note for note in all_notes() if wanted in f"{note.title}\n{note.text}".lower()]


# ---------------------------------------------------------------- tools ----


class Tool(NamedTuple):
    title: str
    description: str
    properties: dict[str, dict[str, Any]]
    annotations: dict[str, bool]
    call: Callable[..., str]


TITLE = {"type": "string", "description": "Title of the note", "minLength": 1, "maxLength": MAX_TITLE}
TEXT = {"type": "string", "description": "Text of the note, in Markdown", "maxLength": MAX_TEXT}
QUERY = {"type": "string", "description": "Text to look for", "minLength": 1, "maxLength": 200}

READS = {"readOnlyHint": True, "openWorldHint": False}
ADDS = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
DESTROYS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}


def tool_create_note(title: str, text: str) -> str:
    create_note(title, text)
    return f'Saved "{title}".'


def tool_list_notes() -> str:
    return bullets(all_notes()) or "There are no notes yet."


def tool_read_note(title: str) -> str:
    return read_note(title).text


def tool_search_notes(query: str) -> str:
    return bullets(search_notes(query)) or f'No note contains "{query}".'


def tool_delete_note(title: str) -> str:
    delete_note(title)
    return f'Deleted "{title}".'


def bullets(notes: list[Note]) -> str:
    return "\n".join(f"- {note.title}" for note in notes)


TOOLS = {
    "create_note": Tool(
        "Create a note",
        "Save a new note under a title.",
        {"title": TITLE, "text": TEXT},
        ADDS,
        tool_create_note,
    ),
    "list_notes": Tool("List notes", "List the titles of all notes.", {}, READS, tool_list_notes),
    "read_note": Tool(
        "Read a note", "Return the text of the note with this title.", {"title": TITLE}, READS, tool_read_note
    ),
    "search_notes": Tool(
        "Search notes",
        "List the titles of the notes that contain a text, in any case.",
        {"query": QUERY},
        READS,
        tool_search_notes,
    ),
    "delete_note": Tool(
        "Delete a note", "Delete the note with this title for good.", {"title": TITLE}, DESTROYS, tool_delete_note
    ),
}


def list_tools(_: dict) -> dict:
    def listed(name: str, tool: Tool) -> dict:
        return {
            "name": name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": {
                "type": "object",
                "properties": tool.properties,
                "required": list(tool.properties),
                "additionalProperties": False,
            },
            "annotations": {"title": tool.title, **tool.annotations},
        }

    return {"tools": [listed(name, tool) for name, tool in TOOLS.items()]}


def check_arguments(properties: dict, arguments: Any) -> None:
    """Check arguments against the schema the tool declares; all are strings."""
    if not isinstance(arguments, dict):
        raise NoteError("The arguments have to be an object.")
    for name in arguments:
        if name not in properties:
            raise NoteError(f'There is no argument "{name}".')
    for name, schema in properties.items():
        value = arguments.get(name)
        least, most = schema.get("minLength", 0), schema["maxLength"]
        if not isinstance(value, str):
            raise NoteError(f'"{name}" has to be a string.')
        if not least <= len(value) <= most:
            raise NoteError(f'"{name}" has to have {least} to {most} characters.')
        if any(unicodedata.category(c) == "Cs" for c in value):
            raise NoteError(f'"{name}" is not valid Unicode.')
        if name == "title" and any(unicodedata.category(c) == "Cc" for c in value):
            raise NoteError("A title is one line without control characters.")


def call_tool(params: dict) -> dict:
    name = params.get("name")
    if not isinstance(name, str) or name not in TOOLS:
        raise invalid_params(f'There is no tool "{name}".')
    arguments = params.get("arguments", {})
    try:
        check_arguments(TOOLS[name].properties, arguments)
        return {"content": [{"type": "text", "text": TOOLS[name].call(**arguments)}]}
    except NoteError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


# -------------------------------------------------- resources and prompts ----

URI_PREFIX = "note:///"


def list_resources(_: dict) -> dict:
    return {
        "resources": [
            {"uri": URI_PREFIX + quote(note.title, safe=""), "name": note.title, "mimeType": "text/markdown"}
            for note in all_notes()
        ]
    }


def list_resource_templates(_: dict) -> dict:
    template = {
        "uriTemplate": URI_PREFIX + "{title}",
        "name": "note",
        "title": "A note by its title",
        "mimeType": "text/markdown",
    }
    return {"resourceTemplates": [template]}


def read_resource(params: dict) -> dict:
    uri = params.get("uri")
    try:
        if not isinstance(uri, str) or not uri.startswith(URI_PREFIX):
            raise NoteError
        text = read_note(unquote(uri[len(URI_PREFIX) :], errors="strict")).text
    except (NoteError, UnicodeError):
        raise RPCError(-32002, "There is no such resource.", {"uri": uri}) from None
    return {"contents": [{"uri": uri, "mimeType": "text/markdown", "text": text}]}


class Prompt(NamedTuple):
    title: str
    description: str
    arguments: list[dict]
    text: Callable[..., str]


def prompt_summarize_notes() -> str:
    notes = "\n\n".join(f"# {note.title}\n\n{note.text}" for note in all_notes())
    return f"Summarize these notes:\n\n{notes}"


def prompt_continue_note(title: str) -> str:
    return f"Write the next paragraph of this note:\n\n{read_note(title).text}"


PROMPTS = {
    "summarize_notes": Prompt(
        "Summarize all notes", "Ask for a summary of everything that was noted.", [], prompt_summarize_notes
    ),
    "continue_note": Prompt(
        "Continue a note",
        "Ask for the next paragraph of a note.",
        [{"name": "title", "description": "Title of the note", "required": True}],
        prompt_continue_note,
    ),
}


def list_prompts(_: dict) -> dict:
    return {
        "prompts": [
            {"name": name, "title": prompt.title, "description": prompt.description, "arguments": prompt.arguments}
            for name, prompt in PROMPTS.items()
        ]
    }


def get_prompt(params: dict) -> dict:
    name = params.get("name")
    if not isinstance(name, str) or name not in PROMPTS:
        raise invalid_params(f'There is no prompt "{name}".')
    prompt = PROMPTS[name]
    given = params.get("arguments", {})
    arguments = {}
    for wanted in (argument["name"] for argument in prompt.arguments):
        if not isinstance(given, dict) or not isinstance(given.get(wanted), str):
            raise invalid_params(f'The argument "{wanted}" is missing.')
        arguments[wanted] = given[wanted]
    try:
        text = prompt.text(**arguments)
    except (NoteError, UnicodeError) as error:
        raise invalid_params(str(error)) from None
    return {
        "description": prompt.description,
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }


# ------------------------------------------------------------- protocol ----


class RPCError(Exception):
    """A JSON-RPC error response."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.body = {"code": code, "message": message}
        if data is not None:
            self.body["data"] = data


def invalid_params(message: str) -> RPCError:
    return RPCError(-32602, message)


def initialize(params: dict) -> dict:
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0],
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        "serverInfo": {"name": "notes-python", "title": "Notes", "version": "1.0.0"},
        "instructions": "Keeps short notes. Titles are unique.",
    }


METHODS: dict[str, Callable[[dict], dict]] = {
    "initialize": initialize,
    "ping": lambda _: {},
    "tools/list": list_tools,
    "tools/call": call_tool,
    "resources/list": list_resources,
    "resources/templates/list": list_resource_templates,
    "resources/read": read_resource,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
}


def respond(method: Any, params: Any) -> dict:
    """Return the result or the error of a request."""
    try:
        if not isinstance(method, str) or method not in METHODS:
            raise RPCError(-32601, f'There is no method "{method}".')
        if not isinstance(params, dict):
            raise invalid_params("The parameters have to be an object.")
        return {"result": METHODS[method](params)}
    except RPCError as error:
        return {"error": error.body}
    except Exception:
        traceback.print_exc()
        return {"error": {"code": -32603, "message": "Internal error."}}


def answer(line: str) -> dict | None:
    """Answer a message; notifications and responses have no answer."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "This is not JSON."}}
    if not isinstance(message, dict) or not {"id", "method"} & message.keys():
        error = {"code": -32600, "message": "This is not a JSON-RPC message."}
        return {"jsonrpc": "2.0", "id": None, "error": error}
    if not {"id", "method"} <= message.keys():
        return None
    return {"jsonrpc": "2.0", "id": message["id"], **respond(message["method"], message.get("params", {}))}


def main() -> None:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    for line in sys.stdin:
        if line.strip() == "":
            continue
        response = answer(line)
        if response is not None:
            print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main()
