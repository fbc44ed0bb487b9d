#!/usr/bin/env python3
"""Uploads to a bucket of S3, or of something that speaks like it. The keys are
those of ~/.aws/credentials, as every program for AWS takes them; what is sent is
a signature."""

import configparser
import datetime
import hashlib
import hmac
import inspect
import json
import os
import sys
import typing
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Annotated

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
ENDPOINT, BUCKET = os.environ["S3_ENDPOINT"].rstrip("/"), os.environ["S3_BUCKET"]
REGION = os.environ.get("AWS_REGION", "us-east-1")


class Server:
    """Just enough of the protocol: tools, resources and prompts on standard input and output."""

    KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}

    def __init__(self, name, version="1.0.0", instructions=None):
        self.info, self.instructions = {"name": name, "version": version}, instructions
        self.tools, self.resources, self.prompts = {}, {}, {}

    def tool(self, **hints):
        """Offer a function: its docstring and its annotations are what is listed."""

        def offer(function):
            properties, required = {}, []
            for name, parameter in inspect.signature(function).parameters.items():
                properties[name] = self.describe(parameter.annotation)
                if parameter.default is parameter.empty:
                    required.append(name)
            schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
            listed = {"name": function.__name__, "description": inspect.getdoc(function), "inputSchema": schema}
            if hints:
                listed["annotations"] = hints
            self.tools[function.__name__] = function, listed
            return function

        return offer

    def describe(self, hint):
        kind, text = typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint, "")
        if typing.get_origin(kind) is typing.Literal:
            schema = {"type": "string", "enum": list(typing.get_args(kind))}
        elif typing.get_origin(kind) is list:
            schema = {"type": "array", "items": {"type": self.KINDS[typing.get_args(kind)[0]]}}
        else:
            schema = {"type": self.KINDS[kind]}
        return {**schema, "description": text} if text else schema

    def resource(self, uri, name, mime="text/plain"):
        return lambda function: self.resources.setdefault(uri, (function, {"uri": uri, "name": name, "mimeType": mime}))[0]

    def prompt(self, function):
        arguments = [{"name": name, "required": True} for name in inspect.signature(function).parameters]
        self.prompts[function.__name__] = function, {"name": function.__name__, "description": inspect.getdoc(function), "arguments": arguments}
        return function

    def send(self, message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def check(self, schema, given):
        if not isinstance(given, dict):
            raise ValueError("The arguments have to be an object.")
        for name in schema["required"]:
            if name not in given:
                raise ValueError(f"{name} is missing.")
        for name, value in given.items():
            if name not in schema["properties"]:
                raise ValueError(f"There is no argument called {name[:40]!r}.")
            wanted = schema["properties"][name]
            fits = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}[wanted["type"]]
            if not isinstance(value, fits) or isinstance(value, bool) and wanted["type"] != "boolean":
                raise ValueError(f"{name} has to be of the type {wanted['type']}.")
            if wanted["type"] == "array" and any(type(item).__name__ not in ("str", "int", "float") for item in value):
                raise ValueError(f"{name} has items of a wrong type.")
            if "enum" in wanted and value not in wanted["enum"]:
                raise ValueError(f"{name} has to be one of {', '.join(wanted['enum'])}.")

    def call(self, params):
        if params.get("name") not in self.tools:
            raise LookupError(f"There is no tool called {str(params.get('name'))[:60]!r}.")
        function, listed = self.tools[params["name"]]
        given = params.get("arguments") or {}
        try:
            self.check(listed["inputSchema"], given)
            text, failed = function(**given), False
        except Exception as error:
            text, failed = str(error) or type(error).__name__, True
        return {"content": [{"type": "text", "text": text if isinstance(text, str) else json.dumps(text, indent=2)}], "isError": failed}

    def answer(self, method, params):
        match method:
            case "initialize":
                offers = {"tools": self.tools, "resources": self.resources, "prompts": self.prompts}
                result = {
                    "protocolVersion": params.get("protocolVersion", "2025-06-18"),
                    "capabilities": {name: {} for name, some in offers.items() if some},
                    "serverInfo": self.info,
                }
                return {**result, "instructions": self.instructions} if self.instructions else result
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [listed for _, listed in self.tools.values()]}
            case "tools/call":
                return self.call(params)
            case "resources/list" if self.resources:
                return {"resources": [listed for _, listed in self.resources.values()]}
            case "resources/read" if params.get("uri") in self.resources:
                function, listed = self.resources[params["uri"]]
                return {"contents": [{"uri": listed["uri"], "mimeType": listed["mimeType"], "text": function()}]}
            case "prompts/list" if self.prompts:
                return {"prompts": [listed for _, listed in self.prompts.values()]}
            case "prompts/get" if params.get("name") in self.prompts:
                function, listed = self.prompts[params["name"]]
                given = {a["name"]: str((params.get("arguments") or {}).get(a["name"], "")) for a in listed["arguments"]}
                return {"messages": [{"role": "user", "content": {"type": "text", "text": function(**given)}}]}
        raise LookupError("Method not found")

    def run(self):
        for line in sys.stdin:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self.send({"id": None, "error": {"code": -32700, "message": "That is not JSON."}})
                continue
            if not isinstance(message, dict) or "id" not in message or not isinstance(message.get("method"), str):
                continue
            params = message.get("params")
            try:
                self.send({"id": message["id"], "result": self.answer(message["method"], params if isinstance(params, dict) else {})})
            except LookupError as error:
                self.send({"id": message["id"], "error": {"code": -32601, "message": str(error)}})
            except Exception as error:
                self.send({"id": message["id"], "error": {"code": -32603, "message": str(error)}})


def keys():
    settings = configparser.ConfigParser()
    settings.read(os.environ.get("AWS_SHARED_CREDENTIALS_FILE", Path.home() / ".aws" / "credentials"))
    profile = os.environ.get("AWS_PROFILE", "default")
    if not settings.has_section(profile):
        raise ValueError(f"~/.aws/credentials has no profile called {profile}.")
    return settings[profile]["aws_access_key_id"], settings[profile]["aws_secret_access_key"]


def sign(secret, *parts):
    key = ("AWS4" + secret).encode()
    for part in parts:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex()


def call(method, path, body=b"", query=""):
    identity, secret = keys()
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    digest = hashlib.sha256(body).hexdigest()
    host = urllib.parse.urlsplit(ENDPOINT).netloc
    canonical = f"{method}\n{path}\n{query}\nhost:{host}\nx-amz-content-sha256:{digest}\nx-amz-date:{now}\n\nhost;x-amz-content-sha256;x-amz-date\n{digest}"
    scope = f"{now[:8]}/{REGION}/s3/aws4_request"
    to_sign = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    signature = sign(secret, now[:8], REGION, "s3", "aws4_request", to_sign)
    authorization = f"AWS4-HMAC-SHA256 Credential={identity}/{scope}, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature={signature}"
    headers = {"Authorization": authorization, "x-amz-date": now, "x-amz-content-sha256": digest}
    request = urllib.request.Request(f"{ENDPOINT}{path}" + (f"?{query}" if query else ""), body or None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read(50_000).decode(errors="replace")
    except urllib.error.HTTPError as error:
        raise ValueError(f"The storage answered with {error.code}.") from None


app = Server("aws-s3-upload-mcp", "0.3.0")


@app.tool(readOnlyHint=True, openWorldHint=True)
def list_objects():
    """List what is in the bucket."""
    return call("GET", f"/{BUCKET}", query="list-type=2&max-keys=100")[1]


@app.tool(readOnlyHint=False, destructiveHint=True, openWorldHint=True)
def upload_file(file: Annotated[str, "File of the folder to upload"]):
    """Upload a file of the folder to the bucket. An object of the same name is replaced."""
    path = FOLDER / Path(file).name
    if path.is_symlink() or not path.is_file() or path.stat().st_size > 20 << 20:
        raise ValueError("There is no such file in the folder, or it is too large.")
    status, _ = call("PUT", f"/{BUCKET}/{urllib.parse.quote(path.name, safe='')}", path.read_bytes())
    return f"{path.name} is in {BUCKET} ({status})."


app.run()
