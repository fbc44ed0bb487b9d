#!/usr/bin/env node
// Summaries: the user chooses the length, the model of the client writes.

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

const peer = new Peer();
let client = {};

async function length() {
  if (!client.elicitation) return "short";
  const answer = await peer.ask("elicitation/create", {
    message: "How long should the summary be?",
    requestedSchema: {
      type: "object",
      properties: {
        length: { type: "string", enum: ["one sentence", "short", "detailed"], title: "Length" },
        until: { type: "string", format: "date", title: "Needed by" },
      },
      required: ["length"],
    },
  });
  return answer.action === "accept" ? String(answer.content?.length ?? "short") : "short";
}

async function summarise({ text }) {
  if (typeof text !== "string" || !text.trim()) throw new Error("text has to be a text.");
  const wanted = await length();
  if (!client.sampling) return `${text.slice(0, 200)}…`;
  const reply = await peer.ask("sampling/createMessage", {
    messages: [{ role: "user", content: { type: "text", text: `Summarise the following text (${wanted}):\n\n${text.slice(0, 20_000)}` } }],
    maxTokens: 400,
    includeContext: "none",
  });
  return reply.content?.text ?? "The model said nothing.";
}

async function title({ text }) {
  if (typeof text !== "string" || !text.trim()) throw new Error("text has to be a text.");
  return text.split(/[.!?\n]/)[0].slice(0, 80);
}

const tools = { summarise: [summarise, "Summarise a text, with the help of the client's model."], suggest_title: [title, "Suggest a title for a text."] };

peer
  .answer("initialize", ({ protocolVersion = "2025-06-18", capabilities }) => {
    client = capabilities ?? {};
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "briefly-mcp", version: "0.5.0" } };
  })
  .answer("ping", () => ({}))
  .answer("tools/list", () => ({
    tools: Object.entries(tools).map(([name, [, description]]) => ({
      name, description, inputSchema: { type: "object", properties: { text: { type: "string", description: "The text" } }, required: ["text"] },
    })),
  }))
  .answer("tools/call", async ({ name, arguments: given }) => {
    if (!Object.hasOwn(tools, name)) throw new Error("Unknown tool");
    try {
      return { content: [{ type: "text", text: await tools[name][0](given ?? {}) }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  })
  .listen();
