#!/usr/bin/env node
// Reads files below the roots of the client. Without roots it reads nothing.

import { EventEmitter } from "node:events";
import { readFile, readdir, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

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
let roots = null;

async function folders() {
  if (roots) return roots;
  const said = await peer.ask("roots/list", {}).catch(() => ({}));
  const list = [];
  for (const { uri } of Array.isArray(said.roots) ? said.roots : []) {
    if (typeof uri === "string" && uri.startsWith("file://")) list.push(await realpath(fileURLToPath(uri)).catch(() => null));
  }
  roots = list.filter(Boolean);
  return roots;
}

async function allowed(path) {
  const known = await folders();
  if (!known.length) throw new Error("The client has named no folder.");
  const at = await realpath(resolve(known[0], path)).catch(() => { throw new Error("There is no such file."); });
  if (!known.some((root) => at === root || at.startsWith(root + sep))) throw new Error("That is outside of the folders of the client.");
  return at;
}

const tools = {
  list_roots: { description: "Name the folders that can be read.", run: async () => (await folders()).join("\n") || "There are none." },
  list_root_files: {
    description: "List the files in the first of these folders.",
    run: async () => {
      const [first] = await folders();
      return first ? (await readdir(first)).slice(0, 500).join("\n") || "It is empty." : "There is no folder.";
    },
  },
  read_first_file: {
    description: "Show the beginning of the first text file in the first of these folders.",
    run: async () => {
      const [first] = await folders();
      for (const name of first ? (await readdir(first)).sort() : []) {
        const at = await allowed(join(first, name)).catch(() => null);
        if (at && /\.(md|txt|csv)$/.test(name) && (await stat(at)).size < 1_000_000) return (await readFile(at, "utf8")).slice(0, 1000);
      }
      return "There is no text file.";
    },
  },
};

peer
  .on("notice notifications/roots/list_changed", () => { roots = null; })
  .answer("initialize", ({ protocolVersion = "2025-06-18" }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "rootreader-mcp", version: "0.3.0" } }))
  .answer("ping", () => ({}))
  .answer("tools/list", () => ({ tools: Object.entries(tools).map(([name, { description }]) => ({ name, description, inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true } })) }))
  .answer("tools/call", async ({ name }) => {
    if (!Object.hasOwn(tools, name)) throw new Error("Unknown tool");
    try {
      return { content: [{ type: "text", text: await tools[name].run() }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  })
  .listen();
