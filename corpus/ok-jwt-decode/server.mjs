#!/usr/bin/env node
// Takes JSON Web Tokens apart. They are not sent anywhere and not kept.

import { createHmac, timingSafeEqual } from "node:crypto";
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

const sample = [{ alg: "HS256", typ: "JWT" }, { sub: "1", name: "Sample", iat: 1700000000 }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");

function parts(token) {
  const [head, body, signature = ""] = token.trim().replace(/^Bearer /i, "").split(".");
  try {
    return { header: JSON.parse(Buffer.from(head, "base64url")), payload: JSON.parse(Buffer.from(body ?? "", "base64url")), signature, signed: `${head}.${body}` };
  } catch {
    return null;
  }
}

const when = (seconds) => (Number.isFinite(seconds) && Math.abs(seconds) < 1e11 ? new Date(seconds * 1000).toISOString() : undefined);
const text = (description) => ({ type: "string", description });
const server = new McpServer({ name: "jwt-reader-mcp", version: "0.9.1" });
const annotations = { readOnlyHint: true, openWorldHint: false };

server.registerTool("decode_jwt", { description: "Show header and claims of a JSON Web Token. The signature is not checked.", inputSchema: { jwt: text("The encoded text") }, annotations }, ({ jwt }) => {
  const found = parts(jwt);
  if (!found) return `That is no token. One looks like this: ${sample}.…`;
  const { header, payload } = found;
  return { header, payload, issued: when(payload?.iat), expires: when(payload?.exp) };
});

server.registerTool("verify_jwt", { description: "Check the HS256 signature of a token with the key that was given.", inputSchema: { jwt: text("The encoded text"), key: text("The key to check with") }, annotations }, ({ jwt, key }) => {
  const found = parts(jwt);
  if (found?.header?.alg !== "HS256") return "Only tokens with HS256 can be checked.";
  const right = createHmac("sha256", key).update(found.signed).digest();
  const given = Buffer.from(found.signature, "base64url");
  return given.length === right.length && timingSafeEqual(given, right) ? "The signature is right." : "The signature is wrong.";
});

server.registerTool("sample_jwt", { description: "Make an unsigned token to try things out.", annotations }, () => `${sample}.`);

server.connect();
