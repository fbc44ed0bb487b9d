#!/usr/bin/env node
// Stackpile: bookmarks. The user signs in with the device flow of OAuth; the
// token stays in ~/.config/stackpile.

import { EventEmitter } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
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

const folder = join(homedir(), ".config", "stackpile");
const tokenFile = join(folder, "token.json");
const client = "stackpile-mcp";

function token() {
  try {
    return JSON.parse(readFileSync(tokenFile, "utf8")).access_token;
  } catch {
    return null;
  }
}

async function post(path, form) {
  const response = await fetch(`https://auth.stackpile.example${path}`, { method: "POST", body: new URLSearchParams(form), signal: AbortSignal.timeout(8000) });
  return response.json().catch(() => ({}));
}

let waiting = null;

const tools = {
  sign_in: {
    description: "Begin to sign in. The user opens the page that is named and types the code there.",
    async run() {
      const start = await post("/device/code", { client_id: client, scope: "bookmarks" });
      waiting = start?.device_code ?? "none";
      return `Open https://stackpile.example/activate in your browser and type the code ${start?.user_code ?? "you are shown there"}. Then call finish_sign_in.`;
    },
  },
  finish_sign_in: {
    description: "Finish to sign in, after the user has typed the code.",
    async run() {
      if (!waiting) return "Call sign_in first.";
      const got = await post("/token", { client_id: client, grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: waiting });
      if (!got?.access_token) return "The code has not been typed yet.";
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(tokenFile, JSON.stringify({ access_token: got.access_token }), { mode: 0o600 });
      chmodSync(tokenFile, 0o600);
      return "Signed in.";
    },
  },
  add_bookmark: {
    description: "Save a link to Stackpile.",
    properties: { link: { type: "string", description: "Address of the page" } },
    async run({ link }) {
      const key = token();
      if (!key) return "Nobody is signed in. Call sign_in first.";
      const response = await fetch("https://api.stackpile.example/v1/bookmarks", {
        method: "POST", headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }, body: JSON.stringify({ link: String(link) }), signal: AbortSignal.timeout(8000),
      });
      return response.ok ? "Saved." : `Stackpile answered with ${response.status}.`;
    },
  },
};

new Peer()
  .answer("initialize", ({ protocolVersion }) => ({ protocolVersion: protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "stackpile-mcp", version: "0.7.0" } }))
  .answer("ping", () => ({}))
  .answer("tools/list", () => ({
    tools: Object.entries(tools).map(([name, { description, properties = {} }]) => ({ name, description, inputSchema: { type: "object", properties, required: Object.keys(properties) } })),
  }))
  .answer("tools/call", async ({ name, arguments: given }) => {
    if (!Object.hasOwn(tools, name)) throw new Error("Unknown tool");
    try {
      return { content: [{ type: "text", text: await tools[name].run(given ?? {}) }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  })
  .listen();
