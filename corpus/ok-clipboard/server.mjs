#!/usr/bin/env node
// A clipboard with slots, in memory only.

import { EventEmitter } from "node:events";
import { createInterface } from "node:readline";

// A JSON-RPC peer on standard input and output. Requests are events; so are
// notifications. The peer can be asked as well.
class Peer extends EventEmitter {
  #pending = new Map();
  #last = 0;

  listen() {
    createInterface({ input: process.stdin }).on("line", (line) => this.#take(line)).on("close", () => this.emit("closed"));
    return this;
  }

  #take(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#put({ id: null, error: { code: -32700, message: "Parse error" } });
    }
    if (typeof message !== "object" || message === null) return;
    if (message.method === undefined) return this.#pending.get(message.id)?.(message);
    if (message.id === undefined) return this.emit(`notice ${message.method}`, message.params ?? {});
    if (!this.listenerCount(`request ${message.method}`)) {
      return this.#put({ id: message.id, error: { code: -32601, message: "Method not found" } });
    }
    const reply = (result) => this.#put({ id: message.id, result });
    const fail = (error) => this.#put({ id: message.id, error: { code: error.code ?? -32602, message: error.message } });
    this.emit(`request ${message.method}`, message.params ?? {}, reply, fail, message.id);
  }

  #put(message) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  answer(method, handler) {
    return this.on(`request ${method}`, (params, reply, fail, id) => Promise.resolve().then(() => handler(params, id)).then(reply, fail));
  }

  notify(method, params) {
    this.#put({ method, params });
  }

  ask(method, params, patience = 30_000) {
    const id = `ask-${++this.#last}`;
    this.#put({ id, method, params });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered.`)), patience);
      this.#pending.set(id, ({ result, error }) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        if (error) reject(new Error(error.message));
        else resolve(result ?? {});
      });
    });
  }
}

const slots = new Map();
const peer = new Peer();
const text = (value) => ({ content: [{ type: "text", text: value }] });

const tools = [
  {
    name: "copy", description: "Put a text into a slot of the clipboard.",
    inputSchema: { type: "object", properties: { slot: { type: "string", description: "Name of the slot" }, text: { type: "string", description: "The text" } }, required: ["slot", "text"] },
    call({ slot, text: value }) {
      if (slots.size >= 100 && !slots.has(slot)) throw new Error("The clipboard is full.");
      slots.set(slot, value.slice(0, 1_000_000));
      peer.notify("notifications/resources/list_changed");
      return `Copied ${value.length} signs.`;
    },
  },
  {
    name: "paste", description: "Return the text of a slot.", inputSchema: { type: "object", properties: { slot: { type: "string", description: "Name of the slot" } }, required: ["slot"] },
    call: ({ slot }) => slots.get(slot) ?? "The slot is empty.",
  },
  { name: "clear_clipboard", description: "Empty all slots.", inputSchema: { type: "object", properties: {} }, call: () => { slots.clear(); return "All slots are empty."; } },
];

peer
  .answer("initialize", ({ protocolVersion = "2025-06-18" }) => ({
    protocolVersion, capabilities: { tools: {}, resources: { listChanged: true } }, serverInfo: { name: "clipshelf-mcp", version: "1.0.1" },
  }))
  .answer("ping", () => ({}))
  .answer("tools/list", () => ({ tools: tools.map(({ call, ...listed }) => listed) }))
  .answer("tools/call", ({ name, arguments: given = {} }) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error("Unknown tool");
    for (const key of tool.inputSchema.required ?? []) {
      if (typeof given?.[key] !== "string") return { ...text(`${key} has to be a text.`), isError: true };
    }
    try {
      return text(tool.call(given));
    } catch (error) {
      return { ...text(error.message), isError: true };
    }
  })
  .answer("resources/list", () => ({ resources: [...slots.keys()].map((slot) => ({ uri: `clip://${encodeURIComponent(slot)}`, name: slot.slice(0, 80), mimeType: "text/plain" })) }))
  .answer("resources/read", ({ uri }) => {
    const slot = [...slots.keys()].find((key) => uri === `clip://${encodeURIComponent(key)}`);
    if (slot === undefined) throw new Error("Resource not found");
    return { contents: [{ uri, mimeType: "text/plain", text: slots.get(slot) }] };
  })
  .listen();
