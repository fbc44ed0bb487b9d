#!/usr/bin/env node
// A queue for sums that take a while: primes are counted in threads, and texts
// are compressed in a child process of the same program.

import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";

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

function countPrimes(limit) {
  const sieve = new Uint8Array(limit + 1);
  let count = 0;
  for (let n = 2; n <= limit; n++) {
    if (sieve[n]) continue;
    count++;
    for (let m = n * n; m <= limit; m += n) sieve[m] = 1;
  }
  return count;
}

const here = fileURLToPath(import.meta.url);
const jobs = new Map();

function add(kind, start) {
  if ([...jobs.values()].filter(({ state }) => state === "running").length >= 4) throw new Error("Four jobs are running already; try again later.");
  const id = `job-${jobs.size + 1}`;
  const job = { kind, state: "running", result: null };
  job.done = start().then((result) => Object.assign(job, { state: "done", result }), (error) => Object.assign(job, { state: "failed", result: error.message }));
  jobs.set(id, job);
  return id;
}

const inThread = (limit) => new Promise((resolve, reject) => new Worker(here, { workerData: { limit } }).on("message", resolve).on("error", reject));

const inChild = (text) => new Promise((resolve, reject) => {
  const child = fork(here, ["--compress"], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  child.on("message", (result) => { child.disconnect(); resolve(result); }).on("error", reject);
  child.on("exit", (code) => { if (code) reject(new Error(`The child ended with ${code}.`)); });
  child.send(text);
});

function serve() {
  const server = new McpServer({ name: "workqueue-mcp", version: "0.3.0" });
  server.registerTool("count_primes", { description: "Count the primes up to a limit. Returns the id of a job.", inputSchema: { limit: { type: "integer", minimum: 2, maximum: 5_000_000 } } }, ({ limit }) => {
    if (limit < 2 || limit > 5_000_000) throw new Error("limit is a number from 2 to 5000000.");
    return add("primes", () => inThread(limit));
  });
  server.registerTool("measure_compression", { description: "Tell how small a text becomes. Returns the id of a job.", inputSchema: { text: { type: "string", description: "The text" } } },
    ({ text }) => add("compression", () => inChild(text.slice(0, 1_000_000))));
  server.registerTool("job_result", { description: "Wait for a job and return its result.", inputSchema: { id: { type: "string", description: "Id of the job, e.g. job-1" } } }, async ({ id }) => {
    const job = jobs.get(id);
    if (!job) return "There is no such job.";
    await job.done;
    return `${job.state}: ${job.result}`;
  });
  server.registerTool("list_jobs", { description: "List the jobs." }, () => [...jobs].map(([id, { kind, state }]) => ({ id, kind, state })));
  server.connect();
}

if (!isMainThread) parentPort.postMessage(countPrimes(workerData.limit));
else if (process.argv[2] === "--compress") process.once("message", (text) => process.send(`${Buffer.byteLength(text)} bytes become ${gzipSync(text).length}`));
else serve();
