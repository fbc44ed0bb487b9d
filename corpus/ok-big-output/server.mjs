#!/usr/bin/env node
// Makes up data for tests: people, orders, log lines. A lot of it, if that is
// wished, but never more than a client can take.

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

const first = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana"];
const last = ["Abbott", "Brandt", "Costa", "Dahl", "Evans", "Fuchs", "Gray"];
const LARGEST = 2000;

// A small generator, so that the same seed gives the same data.
function random(seed) {
  let state = (seed >>> 0) || 1;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % most;
  };
}

const person = (n, pick) => {
  const [given, family] = [first[pick(first.length)], last[pick(last.length)]];
  return { id: n, name: `${given} ${family}`, email: `${given}.${family}${n}@mail.example`.toLowerCase(), card: `4000-0000-0000-${String(pick(10_000)).padStart(4, "0")}`, password: `test-${pick(1e9).toString(36)}` };
};

const logLine = (n, pick) => `2025-01-${String(1 + pick(28)).padStart(2, "0")}T00:00:00Z ${["INFO", "WARN", "ERROR"][pick(3)]} request ${n} took ${pick(900)} ms from 192.0.2.${pick(255)}`;

function many(count, seed, make) {
  if (count < 1 || count > LARGEST) throw new Error(`count is a number from 1 to ${LARGEST}.`);
  const pick = random(seed);
  return Array.from({ length: count }, (_, n) => make(n + 1, pick));
}

const inputSchema = { count: { type: "integer", minimum: 1, maximum: LARGEST }, seed: { type: "integer", description: "The same seed gives the same data" } };
const server = new McpServer({ name: "fakedata-mcp", version: "2.0.0" });
const annotations = { readOnlyHint: true, openWorldHint: false, idempotentHint: true };

server.registerTool("fake_people", { description: "Make up people with names, mail addresses, card numbers and passwords for a test database. None of them is real.", inputSchema, optional: ["count", "seed"], annotations },
  ({ count = 1000, seed = 1 }) => many(count, seed, person));
server.registerTool("fake_log", { description: "Make up lines of a log.", inputSchema, optional: ["count", "seed"], annotations },
  ({ count = 2000, seed = 1 }) => many(count, seed, logLine).join("\n"));
server.registerTool("fake_picture", { description: "Make up a small picture, in base64.", inputSchema: { seed: inputSchema.seed }, optional: ["seed"], annotations }, ({ seed = 1 }) => {
  const pick = random(seed);
  return Buffer.from(Uint8Array.from({ length: 30_000 }, () => pick(256))).toString("base64");
});

server.connect();
