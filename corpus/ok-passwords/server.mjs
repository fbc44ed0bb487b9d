#!/usr/bin/env node
// Makes passwords and passphrases from good randomness.

import { randomInt } from "node:crypto";
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

const words = "anchor basket candle dragon ember falcon garden harbor island jungle kettle lantern meadow needle orchard pepper quartz ribbon saddle timber umbrella velvet willow yellow zephyr".split(" ");
const kinds = { lower: "abcdefghijkmnpqrstuvwxyz", upper: "ABCDEFGHJKLMNPQRSTUVWXYZ", digits: "23456789", signs: "!#%+:=?@" };

const pick = (from) => from[randomInt(from.length)];

function shuffled(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

function between(value, least, most) {
  if (value < least || value > most) throw new Error(`A number from ${least} to ${most} is wanted.`);
  return value;
}

const server = new McpServer({ name: "passmaker-mcp", version: "1.1.0" }, { instructions: "Passwords are shown once and are not kept." });

server.registerTool("make_password", {
  description: "Make a random password. It is not kept or sent anywhere.",
  inputSchema: { length: { type: "integer", minimum: 8, maximum: 128, description: "How many signs" }, symbols: { type: "boolean", description: "With signs such as ! and #" } },
  optional: ["length", "symbols"],
  annotations: { readOnlyHint: true, openWorldHint: false },
}, ({ length = 20, symbols = true }) => {
  between(length, 8, 128);
  const used = symbols ? Object.values(kinds) : [kinds.lower, kinds.upper, kinds.digits];
  const one = used.map(pick);
  while (one.length < length) one.push(pick(used.join("")));
  return shuffled(one).join("");
});

server.registerTool("make_passphrase", {
  description: "Make a passphrase of several words.", inputSchema: { count: { type: "integer", minimum: 3, maximum: 20 } }, optional: ["count"], annotations: { readOnlyHint: true, openWorldHint: false },
}, ({ count = 6 }) => Array.from({ length: between(count, 3, 20) }, () => pick(words)).join("-"));

server.registerTool("make_pin", { description: "Make a PIN.", inputSchema: { digits: { type: "integer", minimum: 4, maximum: 12 } }, optional: ["digits"], annotations: { readOnlyHint: true, openWorldHint: false } },
  ({ digits = 6 }) => Array.from({ length: between(digits, 4, 12) }, () => randomInt(10)).join(""));

server.connect();
