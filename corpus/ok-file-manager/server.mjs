#!/usr/bin/env node
// Manages the files of one folder. Nothing outside of it is touched: every path
// is resolved, links included, before it is used.

import { constants } from "node:fs";
import { cp, lstat, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline";

class McpServer {
  #tools = new Map();
  #resources = new Map();
  #prompts = new Map();

  constructor(info, { instructions } = {}) {
    this.info = info;
    this.instructions = instructions;
  }

  registerTool(name, { description, inputSchema = {}, optional = [], annotations }, handler) {
    const required = Object.keys(inputSchema).filter((key) => !optional.includes(key));
    const listed = { name, description, inputSchema: { type: "object", properties: inputSchema, required }, annotations };
    this.#tools.set(name, { listed, handler });
  }

  registerResource(uri, { name, mimeType = "text/plain" }, handler) {
    this.#resources.set(uri, { listed: { uri, name, mimeType }, handler });
  }

  registerPrompt(name, { description, args = [] }, handler) {
    this.#prompts.set(name, { listed: { name, description, arguments: args.map((key) => ({ name: key, required: true })) }, handler });
  }

  send(message) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  #validate({ properties, required }, given) {
    if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("The arguments are not an object.");
    for (const key of required) if (!Object.hasOwn(given, key)) throw new Error(`${key} is required.`);
    for (const [key, { type, enum: choices }] of Object.entries(properties)) {
      if (!Object.hasOwn(given, key)) continue;
      const value = given[key];
      const actual = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
      const fits = type === "integer" ? Number.isSafeInteger(value) : actual === type;
      if (!fits || (choices && !choices.includes(value))) throw new Error(`${key} is not what it should be (${choices?.join(", ") ?? type}).`);
    }
  }

  async #call(params) {
    const tool = this.#tools.get(params.name);
    if (!tool) throw Object.assign(new Error("Unknown tool"), { code: -32602 });
    try {
      const given = params.arguments ?? {};
      this.#validate(tool.listed.inputSchema, given);
      const out = await tool.handler(given, params._meta ?? {});
      return { content: [{ type: "text", text: typeof out === "string" ? out : JSON.stringify(out, null, 2) }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  }

  async #answer(method, params) {
    const all = (map) => [...map.values()].map(({ listed }) => listed);
    switch (method) {
      case "initialize": {
        const capabilities = { tools: {} };
        if (this.#resources.size) capabilities.resources = {};
        if (this.#prompts.size) capabilities.prompts = {};
        return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities, serverInfo: this.info, instructions: this.instructions };
      }
      case "ping":
        return {};
      case "tools/list":
        return { tools: all(this.#tools) };
      case "tools/call":
        return this.#call(params);
      case "resources/list":
        return { resources: all(this.#resources) };
      case "prompts/list":
        return { prompts: all(this.#prompts) };
      case "resources/read": {
        const found = this.#resources.get(params.uri);
        if (!found) throw Object.assign(new Error("Resource not found"), { code: -32002 });
        return { contents: [{ uri: params.uri, mimeType: found.listed.mimeType, text: await found.handler() }] };
      }
      case "prompts/get": {
        const found = this.#prompts.get(params.name);
        if (!found) throw Object.assign(new Error("Unknown prompt"), { code: -32602 });
        return { messages: [{ role: "user", content: { type: "text", text: found.handler(params.arguments ?? {}) } }] };
      }
    }
    throw Object.assign(new Error("Method not found"), { code: -32601 });
  }

  connect() {
    createInterface({ input: process.stdin }).on("line", async (line) => {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        return this.send({ id: null, error: { code: -32700, message: "Parse error" } });
      }
      if (typeof message?.method !== "string" || message.id === undefined) return;
      try {
        const params = message.params && typeof message.params === "object" ? message.params : {};
        this.send({ id: message.id, result: await this.#answer(message.method, params) });
      } catch (error) {
        this.send({ id: message.id, error: { code: error.code ?? -32603, message: error.message } });
      }
    });
  }
}

const root = await realpath(process.argv[2] ?? ".");
const server = new McpServer({ name: "folder-manager-mcp", version: "2.4.0" }, { instructions: `All paths are below ${root}.` });
const PATH = { type: "string", description: "Path of a file in the folder" };
const MOST = 1 << 20;

// The real place of a path; of one that is yet to be made, that of its folder.
async function inside(path) {
  if (path.includes("\0")) throw new Error("That is no path.");
  let at = resolve(root, path);
  try {
    at = await realpath(at);
  } catch (error) {
    if (error.code !== "ENOENT") throw new Error("The path cannot be used.");
    const folder = await realpath(dirname(at)).catch(() => { throw new Error("The folder does not exist."); });
    at = join(folder, basename(at));
    if (await lstat(at).catch(() => null)) throw new Error("A broken link is in the way.");
  }
  if (at !== root && !at.startsWith(root + sep)) throw new Error("The path is outside of the folder.");
  return at;
}

const shown = (at) => relative(root, at) || ".";

server.registerTool("read_file", { description: "Read a text file.", inputSchema: { path: PATH }, annotations: { readOnlyHint: true } }, async ({ path }) => {
  const file = await open(await inside(path), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const info = await file.stat();
    if (!info.isFile() || info.size > MOST) throw new Error("Only files of up to 1 MiB are read.");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
});

server.registerTool("write_file", {
  description: "Write a text file. One that is there already is replaced.",
  inputSchema: { path: { type: "string", description: "Path of the file to write" }, content: { type: "string", description: "The text" } },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}, async ({ path, content }) => {
  const at = await inside(path);
  const file = await open(at, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o644);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  return `${shown(at)} has ${Buffer.byteLength(content)} bytes now.`;
});

server.registerTool("list_folder", { description: "List a folder.", inputSchema: { path: { type: "string", description: "Path of the folder" } }, annotations: { readOnlyHint: true } }, async ({ path }) => {
  const entries = await readdir(await inside(path), { withFileTypes: true });
  return entries.map((e) => (e.isDirectory() ? `${e.name}/` : e.name)).sort().join("\n") || "(empty)";
});

server.registerTool("make_folder", { description: "Make a folder.", inputSchema: { folder_name: { type: "string", description: "Path of the new folder" } } }, async ({ folder_name: path }) => {
  const at = await inside(path);
  await mkdir(at, { recursive: true });
  return `${shown(at)} is there.`;
});

server.registerTool("copy_file", {
  description: "Copy a file to a new place. Nothing is overwritten.",
  inputSchema: { source: { type: "string", description: "File to copy" }, destination: { type: "string", description: "Where the copy is written" } },
  annotations: { readOnlyHint: false, destructiveHint: false },
}, async ({ source, destination }) => {
  const [from, to] = [await inside(source), await inside(destination)];
  if (await lstat(to).catch(() => null)) return `${shown(to)} is there already.`;
  await cp(from, to, { errorOnExist: true, force: false });
  return `${shown(from)} was copied to ${shown(to)}.`;
});

server.registerTool("move_file", {
  description: "Move or rename a file. One that is in the way is replaced.",
  inputSchema: { source: { type: "string", description: "File to move" }, destination: { type: "string", description: "Where it is written to" } },
  annotations: { readOnlyHint: false, destructiveHint: true },
}, async ({ source, destination }) => {
  const [from, to] = [await inside(source), await inside(destination)];
  await rename(from, to);
  return `${shown(from)} is ${shown(to)} now.`;
});

server.registerTool("delete_file", {
  description: "Delete a file for good.", inputSchema: { path: PATH }, annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}, async ({ path }) => {
  const at = await inside(path);
  const info = await lstat(at).catch(() => null);
  if (info?.isDirectory()) throw new Error("That is a folder.");
  await rm(at, { force: true });
  return `${shown(at)} is gone.`;
});

server.connect();
