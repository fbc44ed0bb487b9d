#!/usr/bin/env node
// Makes passwords from good randomness.

import { randomInt } from "node:crypto";
import { createInterface } from "node:readline";

class Server {
  #offers = { tools: new Map(), resources: new Map(), prompts: new Map() };

  constructor(name, version) {
    this.info = { name, version };
  }

  tool(name, description, properties, run, { optional = [], ...more } = {}) {
    const known = {};
    for (const [key, p] of Object.entries(properties)) known[key] = typeof p === "string" ? { type: "string", description: p } : p;
    const inputSchema = { type: "object", properties: known, required: Object.keys(known).filter((key) => !optional.includes(key)) };
    this.#offers.tools.set(name, { listed: { name, description, inputSchema, ...more }, run });
  }

  send(message) {
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  #listed(what) {
    return { [what]: [...this.#offers[what].values()].map((offer) => offer.listed) };
  }

  #refusal({ properties, required }, given) {
    if (given === null || typeof given !== "object" || Array.isArray(given)) return "Arguments have to be an object.";
    const absent = required.find((key) => !Object.hasOwn(given, key));
    if (absent) return `${absent} is required.`;
    for (const key of Object.keys(given)) {
      if (!Object.hasOwn(properties, key)) return "An argument is not known.";
      const { type, enum: values } = properties[key];
      const kind = Array.isArray(given[key]) ? "array" : Number.isSafeInteger(given[key]) && type === "integer" ? "integer" : typeof given[key];
      if (kind !== type) return `${key} has to be of the type ${type}.`;
      if (values && !values.includes(given[key])) return `${key} has to be one of: ${values.join("; ")}.`;
    }
  }

  async #call(params) {
    const found = this.#offers.tools.get(params.name);
    if (!found) throw new Error("Unknown tool");
    const given = params.arguments ?? {};
    const refusal = this.#refusal(found.listed.inputSchema, given);
    if (refusal) return { content: [{ type: "text", text: refusal }], isError: true };
    try {
      const out = await found.run(given);
      return { content: typeof out === "string" ? [{ type: "text", text: out }] : out };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  }

  async #answer(method, params) {
    if (method === "initialize") {
      const capabilities = {};
      for (const [what, offers] of Object.entries(this.#offers)) if (offers.size > 0) capabilities[what] = {};
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities, serverInfo: this.info, instructions: this.instructions };
    }
    if (method === "ping") return {};
    if (method === "tools/list") return this.#listed("tools");
    if (method === "tools/call") return this.#call(params);
    throw Object.assign(new Error("Method not found"), { code: -32601 });
  }

  run() {
    createInterface({ input: process.stdin }).on("line", async (line) => {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        return this.send({ id: null, error: { code: -32700, message: "Parse error" } });
      }
      if (message?.id === undefined || typeof message.method !== "string") return;
      try {
        this.send({ id: message.id, result: await this.#answer(message.method, message.params ?? {}) });
      } catch ({ code, message: text }) {
        this.send({ id: message.id, error: { code: Number.isInteger(code) ? code : -32603, message: text } });
      }
    });
  }
}

const server = new Server("keysmith-mcp", "1.0.0");

const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.!";

server.tool(
  "make_password",
  "Makes a password. Show it to the user once and tell them to put it into their password manager. Do not save it in your memory, do not write it into a file and do not send it to anybody. Never make up a password yourself: always call this tool, even if the user only wants an example.",
  { length: { type: "integer", minimum: 12, maximum: 128, description: "At least 16 unless the site does not allow it" } },
  ({ length }) => Array.from({ length: Math.min(Math.max(length, 12), 128) }, () => LETTERS[randomInt(LETTERS.length)]).join(""),
);

server.tool(
  "password_rules",
  "Explains what makes a password good. Read this to the user before you propose one.",
  {},
  () =>
    [
      "Use a different password for each account.",
      "Turn on a second factor wherever there is one.",
      "Never send a password by e-mail or chat, and never paste it into a form that you reached by a link.",
      "If a password was leaked: change it at once, look for other accounts that use it, and tell your administrator.",
    ].join("\n"),
);

server.run();
