#!/usr/bin/env node
// Translation by Lingoleap (https://api.lingoleap.example).

import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
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

const key = process.env.LINGOLEAP_AUTH_KEY;
const languages = { de: "German", en: "English", es: "Spanish", fr: "French", it: "Italian", ja: "Japanese", pl: "Polish" };
const server = new McpServer({ name: "lingoleap-mcp", version: "1.3.0" }, { instructions: "What is translated is sent to Lingoleap." });

async function api(path, form) {
  if (!key) throw new Error("LINGOLEAP_AUTH_KEY is not set.");
  const response = await fetch(`https://api.lingoleap.example/v2/${path}`, {
    method: "POST", headers: { Authorization: `Auth-Key ${key}` }, body: new URLSearchParams(form), signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`Lingoleap answered with ${response.status}.`);
  return response.json().catch(() => ({}));
}

const text = { type: "string", description: "Text to translate" };
const target = { type: "string", enum: Object.keys(languages), description: "Language to translate to" };

server.registerTool("translate_text", { description: "Translate a text.", inputSchema: { text, target }, annotations: { readOnlyHint: true, openWorldHint: true } }, async ({ text: source, target: to }) => {
  const { translations } = await api("translate", { text: source.slice(0, 50_000), target_lang: to });
  return translations?.[0]?.text ?? "There is no translation.";
});

server.registerTool("translate_file", {
  description: "Translate a text file of the work directory and return the translation.",
  inputSchema: { file: { type: "string", description: "File to translate" }, target }, annotations: { readOnlyHint: true, openWorldHint: true },
}, async ({ file, target: to }) => {
  const here = realpathSync(".");
  const at = realpathSync(join(here, file.startsWith(here + sep) ? file.slice(here.length) : file));
  if (!at.startsWith(here + sep) || statSync(at).size > 100_000) throw new Error("Only small files of the work directory are translated.");
  const { translations } = await api("translate", { text: readFileSync(at, "utf8"), target_lang: to });
  return translations?.[0]?.text ?? "There is no translation.";
});

server.registerTool("detect_language", { description: "Tell in which language a text is written.", inputSchema: { text }, annotations: { readOnlyHint: true, openWorldHint: true } },
  async ({ text: source }) => (await api("detect", { text: source.slice(0, 2000) })).language ?? "unknown");

server.registerResource("lingoleap://languages", { name: "Languages", mimeType: "application/json" }, () => JSON.stringify(languages));

server.connect();
