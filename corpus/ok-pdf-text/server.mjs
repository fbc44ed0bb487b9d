#!/usr/bin/env node
// Takes the text out of simple PDF files.

import { readFile, readdir, lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { inflateSync } from "node:zlib";
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

const folder = process.argv[2] ?? ".";
const server = new McpServer({ name: "paperless-text-mcp", version: "0.3.1" });

async function load(file) {
  const name = basename(file);
  const at = join(folder, name);
  const info = await lstat(at).catch(() => null);
  if (!info?.isFile() || info.size > 20 << 20) throw new Error("There is no such file in the folder.");
  return readFile(at);
}

// What stands between "stream" and "endstream", unpacked where it is packed.
function* streams(pdf) {
  let at = 0;
  for (let n = 0; n < 500; n++) {
    const begin = pdf.indexOf("stream\n", at);
    const end = pdf.indexOf("endstream", begin + 7);
    if (begin < 0 || end < 0) return;
    const raw = pdf.subarray(begin + 7, end);
    try {
      yield inflateSync(raw, { maxOutputLength: 8 << 20 }).toString("latin1");
    } catch {
      yield raw.toString("latin1");
    }
    at = end + 9;
  }
}

function* shown(content) {
  for (const [, text] of content.matchAll(/\(((?:\\.|[^\\()])*)\)\s*(?:Tj|')/g)) yield text.replace(/\\([()\\])/g, "$1");
  for (const [, parts] of content.matchAll(/\[([^\[\]]*)\]\s*TJ/g)) yield [...parts.matchAll(/\(((?:\\.|[^\\()])*)\)/g)].map(([, text]) => text).join("");
}

function textOf(pdf) {
  if (pdf.subarray(0, 5).toString() !== "%PDF-") return null;
  const lines = [];
  for (const content of streams(pdf)) for (const line of shown(content)) if (lines.length < 20_000) lines.push(line);
  return lines;
}

// The papers that are there when the server starts are the choices.
const papers = async () => (await readdir(folder)).filter((name) => name.toLowerCase().endsWith(".pdf"));
const file = { type: "string", description: "Name of a file in the folder" };
const choices = await papers();
if (choices.length) file.enum = choices;

server.registerTool("list_papers", { description: "List the PDF files of the folder.", annotations: { readOnlyHint: true } },
  async () => (await papers()).join("\n") || "There are none.");

server.registerTool("extract_text", { description: "Return the text of a PDF file.", inputSchema: { file }, annotations: { readOnlyHint: true } }, async ({ file: name }) => {
  const lines = textOf(await load(name));
  return lines ? lines.join("\n") || "It has no text." : "That is no PDF file.";
});

server.registerTool("count_words", { description: "Count the words of a PDF file.", inputSchema: { file }, annotations: { readOnlyHint: true } }, async ({ file: name }) => {
  const lines = textOf(await load(name));
  return lines ? `${lines.join(" ").split(/\s+/).filter(Boolean).length} words` : "That is no PDF file.";
});

server.connect();
