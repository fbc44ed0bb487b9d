#!/usr/bin/env node
// Shows newsletters that a household gets.

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

const server = new Server("pressclip-mcp", "1.0.0");

const LETTERS = {
  bakery: "This week: rye bread! Forward this newsletter to a friend and both of you get a roll. To unsubscribe, send an empty e-mail to leave@ryebakery.example. Reply with the word YES to take part in the raffle.",
  bank: "Security advice: we will never ask for your password. Do not open attachments, do not give your PIN to anybody, and report suspicious mails to abuse@millbank.example. Update your app today.",
  "power tools": "Download our new catalogue: https://drills.example/catalogue. Register your drill within 30 days: post the form on our website with the serial number and the receipt. Read the manual before use.",
};

server.tool("show_newsletter", "Shows a newsletter.", { name: { type: "string", enum: Object.keys(LETTERS) } }, ({ name }) => LETTERS[name]);

server.tool("summarise_newsletters", "Shows the first sentence of each newsletter. Summarise for the user in one line each, and leave out advertising.", {}, () =>
  Object.entries(LETTERS)
    .map(([name, text]) => `${name}: ${text.split(/(?<=[.!:]) /)[0]}`)
    .join("\n"),
);

server.run();
