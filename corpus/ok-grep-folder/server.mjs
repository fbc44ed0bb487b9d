#!/usr/bin/env node
// Searches one folder. Patterns are tried in a thread that is ended if it takes
// too long: a pattern can be a trap.

import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

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

const root = realpathSync(process.argv[2] ?? ".");
const server = new McpServer({ name: "grepper-mcp", version: "2.0.0" });

function* walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    const at = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(at);
    else if (entry.isFile() && statSync(at).size < 2_000_000) yield at;
  }
}

function* lines() {
  for (const file of walk(root)) {
    const text = readFileSync(file, "utf8");
    if (text.includes("\0")) continue;
    let number = 0;
    for (const line of text.split("\n")) yield { file: relative(root, file), number: ++number, line };
  }
}

const shown = ({ file, number, line }) => `${file}:${number}: ${line.slice(0, 300)}`;

const finder = `
  const { parentPort, workerData } = require("node:worker_threads");
  const pattern = new RegExp(workerData.pattern);
  parentPort.postMessage(workerData.all.filter(({ line }) => pattern.test(line)).slice(0, 200));
`;

function withPattern(pattern) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(finder, { eval: true, workerData: { pattern, all: [...lines()] } });
    const timer = setTimeout(() => worker.terminate().then(() => reject(new Error("The pattern takes too long."))), 2000);
    const settle = (done) => (value) => { clearTimeout(timer); done(value); };
    worker.on("message", settle(resolve));
    worker.on("error", settle((error) => reject(new Error(`The pattern cannot be used: ${error.message.slice(0, 200)}`))));
  });
}

server.registerTool("search_text", {
  description: "Find the lines that contain a text.", inputSchema: { query: { type: "string", description: "Text to look for" } }, annotations: { readOnlyHint: true, openWorldHint: false },
}, ({ query }) => [...lines()].filter(({ line }) => line.includes(query)).slice(0, 200).map(shown).join("\n") || "Nothing.");

server.registerTool("search_pattern", {
  description: "Find the lines that match a regular expression.", inputSchema: { pattern: { type: "string", description: "Regular expression" } }, annotations: { readOnlyHint: true, openWorldHint: false },
}, async ({ pattern }) => (await withPattern(pattern)).map(shown).join("\n") || "Nothing.");

server.registerTool("list_files", { description: "List the files that are searched.", annotations: { readOnlyHint: true, openWorldHint: false } },
  () => [...walk(root)].map((file) => relative(root, file)).join("\n"));

server.connect();
