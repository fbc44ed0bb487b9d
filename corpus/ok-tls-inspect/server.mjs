#!/usr/bin/env node
// Shows the certificate that a host presents, good or bad.

import { connect } from "node:tls";
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

const server = new McpServer({ name: "certlook-mcp", version: "0.2.0" });

function certificate(host, port) {
  return new Promise((resolve, reject) => {
    // Whether it can be trusted is part of the answer, so it is looked at in any case.
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: 5000 }, () => {
      const { subject, issuer, valid_from, valid_to, fingerprint256, subjectaltname } = socket.getPeerCertificate();
      resolve({ trusted: socket.authorized, why: socket.authorizationError ?? undefined, subject, issuer, valid_from, valid_to, fingerprint256, names: subjectaltname, protocol: socket.getProtocol() });
      socket.end();
    });
    socket.on("timeout", () => socket.destroy(new Error("The host does not answer.")));
    socket.on("error", (error) => reject(new Error(`No certificate: ${error.message}`)));
  });
}

const inputSchema = { host: { type: "string", description: "Host name" }, port: { type: "integer", description: "Port, 443 if nothing is said" } };

function checked({ host, port = 443 }) {
  if (!/^(?=.{1,253}$)[a-z0-9.-]+$/i.test(host) || port < 1 || port > 65535) throw new Error("That is no host or no port.");
  return [host, port];
}

server.registerTool("show_certificate", { description: "Show the TLS certificate of a host.", inputSchema, optional: ["port"], annotations: { readOnlyHint: true, openWorldHint: true } },
  (given) => certificate(...checked(given)));

server.registerTool("days_left", { description: "Tell how many days the certificate of a host is still valid.", inputSchema, optional: ["port"], annotations: { readOnlyHint: true, openWorldHint: true } }, async (given) => {
  const { valid_to: end } = await certificate(...checked(given));
  return `${Math.floor((new Date(end) - Date.now()) / 86_400_000)} days`;
});

server.connect();
