#!/usr/bin/env node
// Keeps appointments in an ICS file that other calendars can read.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
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

const file = process.argv[2];
const server = new McpServer({ name: "calfile-mcp", version: "1.1.3" });

const escaped = (value) => value.slice(0, 2000).replace(/[\\;,]/g, "\\$&").replace(/\r?\n|\r/g, "\\n");
const unescaped = (value) => value.replace(/\\n/g, "\n").replace(/\\([\\;,])/g, "$1");
const stamp = (date) => date.toISOString().replace(/[-:]|\.\d+/g, "");

function events() {
  if (!existsSync(file)) return [];
  const blocks = readFileSync(file, "utf8").split("BEGIN:VEVENT").slice(1);
  return blocks.map((block) => Object.fromEntries(block.split(/\r?\n/).map((line) => line.split(/:(.*)/s)).filter(([key]) => /^[A-Z]+$/.test(key)).map(([key, value]) => [key, unescaped(value ?? "")])));
}

function save(list) {
  const body = list.map(({ UID, DTSTART, SUMMARY, DESCRIPTION = "" }) => [
    "BEGIN:VEVENT", `UID:${UID}`, `DTSTAMP:${stamp(new Date())}`, `DTSTART:${DTSTART}`, `SUMMARY:${escaped(SUMMARY ?? "")}`, `DESCRIPTION:${escaped(DESCRIPTION)}`, "END:VEVENT",
  ].join("\r\n"));
  writeFileSync(`${file}.new`, ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calfile//EN", ...body, "END:VCALENDAR", ""].join("\r\n"));
  renameSync(`${file}.new`, file);
}

server.registerTool("add_event", {
  description: "Put an appointment into the calendar.",
  inputSchema: { title: { type: "string", description: "What it is" }, start: { type: "string", format: "date-time", description: "When it begins" }, notes: { type: "string", description: "Notes" } },
  optional: ["notes"],
}, ({ title, start, notes }) => {
  const when = new Date(start);
  if (Number.isNaN(when.getTime())) throw new Error("start is no date.");
  const UID = randomUUID();
  save([...events(), { UID, DTSTART: stamp(when), SUMMARY: title, DESCRIPTION: notes }]);
  return { id: UID };
});

server.registerTool("list_events", { description: "List all appointments.", annotations: { readOnlyHint: true } },
  () => events().map(({ UID, DTSTART, SUMMARY }) => `${DTSTART} ${SUMMARY} (${UID})`).join("\n") || "The calendar is empty.");

server.registerTool("remove_event", {
  description: "Take an appointment out of the calendar.", inputSchema: { id: { type: "string", description: "Id of the appointment" } }, annotations: { destructiveHint: true },
}, ({ id }) => {
  const before = events();
  const after = before.filter(({ UID }) => UID !== id);
  if (after.length < before.length) save(after);
  return `${before.length - after.length} removed.`;
});

server.connect();
