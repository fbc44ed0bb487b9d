#!/usr/bin/env node
// Runs the tests of one project. That is code of the project: it is run
// because the user has asked for it.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
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

const project = resolve(process.argv[2] ?? ".");
const peer = new Peer();

function run(args, seconds) {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => { if (out.length < 200_000) out += chunk; });
    child.on("error", (error) => done({ code: -1, out: error.message }));
    child.on("close", (code) => { clearTimeout(timer); done({ code, out }); });
  });
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const at = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(at);
    else if (entry.isFile() && /\.m?js$/.test(entry.name)) yield at;
  }
}

const tools = {
  run_tests: {
    description: "Run the tests of the project with node --test and return the report. This executes code of the project.",
    properties: { pattern: { type: "string", description: "Only tests whose name contains this" } },
    required: [],
    async work({ pattern }, token) {
      if (pattern !== undefined && typeof pattern !== "string") throw new Error("pattern has to be a text.");
      if (token !== undefined) peer.notify("notifications/progress", { progressToken: token, progress: 0, total: 1 });
      const quoted = pattern?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const { code, out } = await run(["--test", ...(quoted ? [`--test-name-pattern=${quoted}`] : [])], 40);
      if (token !== undefined) peer.notify("notifications/progress", { progressToken: token, progress: 1, total: 1 });
      return `${out}\n[exit code ${code}]`;
    },
  },
  check_syntax: {
    description: "Check the syntax of all JavaScript files of the project with node --check, without running them.",
    properties: {},
    required: [],
    async work() {
      const bad = [];
      for (const file of [...files(project)].slice(0, 50)) {
        const { code, out } = await run(["--check", file], 10);
        if (code) bad.push(`${relative(project, file)}: ${out.trim().split(sep).join("/")}`);
      }
      return bad.join("\n") || "All files can be read.";
    },
  },
  list_scripts: {
    description: "List the scripts of package.json.",
    properties: {},
    required: [],
    async work() {
      const manifest = join(project, "package.json");
      return existsSync(manifest) ? JSON.stringify(JSON.parse(readFileSync(manifest, "utf8")).scripts ?? {}, null, 2) : "There is no package.json.";
    },
  },
};

peer
  .answer("initialize", ({ protocolVersion = "2025-06-18" }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "testbench-mcp", version: "0.6.0" } }))
  .answer("ping", () => ({}))
  .answer("tools/list", () => ({ tools: Object.entries(tools).map(([name, { description, properties, required }]) => ({ name, description, inputSchema: { type: "object", properties, required } })) }))
  .answer("tools/call", async ({ name, arguments: given, _meta }) => {
    if (!Object.hasOwn(tools, name)) throw new Error("Unknown tool");
    try {
      return { content: [{ type: "text", text: await tools[name].work(given ?? {}, _meta?.progressToken) }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  })
  .listen();
