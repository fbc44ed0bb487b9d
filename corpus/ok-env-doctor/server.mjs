#!/usr/bin/env node
// Tells what a developer's machine has and lacks. Programs are asked for their
// version and for nothing else.

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { cpus, freemem, platform, release, totalmem } from "node:os";
import { delimiter, join } from "node:path";
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

const wanted = { git: "--version", node: "--version", npm: "--version", python3: "--version", docker: "--version", make: "--version", go: "version", cargo: "--version" };
const server = new McpServer({ name: "devdoctor-mcp", version: "1.0.0" });

async function where(program) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const at = join(folder, program);
    if (await access(at, constants.X_OK).then(() => true, () => false)) return at;
  }
  return null;
}

const version = (at, option) => new Promise((resolve) => {
  execFile(at, [option], { timeout: 5000 }, (error, out) => resolve(error ? "does not answer" : out.split("\n")[0]));
});

server.registerTool("check_tools", {
  description: `Tell which programs are installed and in which version: ${Object.keys(wanted).join(", ")}. Each of them is run with its option for the version.`,
  annotations: { readOnlyHint: true },
}, async () => Promise.all(Object.entries(wanted).map(async ([program, option]) => {
  const at = await where(program);
  return `${program}: ${at ? await version(at, option) : "not installed"}`;
})));

server.registerTool("check_machine", { description: "Tell about processor, memory and system.", annotations: { readOnlyHint: true } },
  () => ({ system: `${platform()} ${release()}`, processors: cpus().length, memory: `${freemem() >> 20} of ${totalmem() >> 20} MiB free` }));

server.registerTool("check_variables", {
  description: "Tell which of the usual environment variables are set. Values are not shown.", annotations: { readOnlyHint: true },
}, () => ["PATH", "HOME", "SHELL", "EDITOR", "LANG", "GOPATH", "JAVA_HOME", "VIRTUAL_ENV"].map((name) => `${name}: ${process.env[name] === undefined ? "not set" : "set"}`).join("\n"));

server.connect();
