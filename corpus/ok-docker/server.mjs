#!/usr/bin/env node
// docker for agents.

import { execFile } from "node:child_process";
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

const server = new McpServer({ name: "docker-desk-mcp", version: "1.4.0" });
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$/;
const IMAGE = /^[a-z0-9]+(?:[._/-][a-z0-9]+)*(?::[\w][\w.-]{0,127})?$/;

function docker(...args) {
  return new Promise((resolve) => {
    execFile("docker", args, { timeout: 30_000, maxBuffer: 4 << 20 }, (error, out, words) => {
      if (error?.code === "ENOENT") resolve("docker is not installed here.");
      else resolve(error ? `docker says: ${(words || error.message).trim()}` : out || "Done.");
    });
  });
}

function matching(pattern, value) {
  if (!pattern.test(value)) throw new Error("That is no name of a container or image.");
  return value;
}

const container = { type: "string", description: "Name or id of the container" };

server.registerTool("list_containers", {
  description: "List containers.", inputSchema: { all: { type: "boolean", description: "Stopped ones, too" } }, optional: ["all"], annotations: { readOnlyHint: true },
}, ({ all }) => docker("ps", "--format", "json", ...(all ? ["--all"] : [])));

server.registerTool("list_images", { description: "List images.", annotations: { readOnlyHint: true } }, () => docker("image", "ls", "--format", "json"));

server.registerTool("container_logs", {
  description: "Show the last lines a container has printed.", inputSchema: { container }, annotations: { readOnlyHint: true },
}, ({ container: id }) => docker("logs", "--tail", "200", "--", matching(NAME, id)));

server.registerTool("run_container", {
  description: "Start a container from an image, in the background and without any folder of this machine.",
  inputSchema: { image: { type: "string", description: "Docker image, e.g. alpine:latest" } },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
}, ({ image }) => docker("run", "--detach", "--rm", "--", matching(IMAGE, image)));

server.registerTool("stop_container", {
  description: "Stop a container.", inputSchema: { container }, annotations: { destructiveHint: true },
}, ({ container: id }) => docker("stop", "--", matching(NAME, id)));

server.connect();
