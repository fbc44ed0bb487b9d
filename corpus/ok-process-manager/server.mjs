#!/usr/bin/env node
// Starts long-running commands (a dev server, a build) and keeps an eye on
// them. It ends only what it has started itself.

import { spawn } from "node:child_process";
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

const folder = process.argv[2] ?? process.cwd();
const jobs = new Map();
const kept = 200;

const server = new McpServer({ name: "jobs-mcp", version: "1.0.4" });

function start(command) {
  const id = String(jobs.size + 1);
  const child = spawn("/bin/sh", ["-c", command], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const job = { id, command, pid: child.pid, started: new Date().toISOString(), state: "running", lines: [], child };
  const take = (chunk) => {
    job.lines.push(...String(chunk).split("\n").filter(Boolean));
    job.lines.splice(0, job.lines.length - kept);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  child.on("error", (error) => { job.state = error.message; });
  child.on("close", (code, signal) => { job.state = signal ? `ended by ${signal}` : `ended with ${code}`; });
  jobs.set(id, job);
  return job;
}

const find = (id) => {
  const job = jobs.get(id);
  if (!job) throw new Error("There is no job of that number.");
  return job;
};

server.registerTool("start_job", {
  description: "Run a command in the background, such as a dev server or a build. Returns the number of the job.",
  inputSchema: { command: { type: "string", description: "Shell command to run" } },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
}, ({ command }) => {
  if ([...jobs.values()].filter(({ state }) => state === "running").length >= 8) throw new Error("Eight jobs are running already.");
  const { id, pid } = start(command);
  return { id, pid };
});

server.registerTool("list_jobs", { description: "List the jobs of this session.", annotations: { readOnlyHint: true } },
  () => [...jobs.values()].map(({ id, command, pid, started, state }) => ({ id, command, pid, started, state })));

server.registerTool("job_output", {
  description: "Show the last lines that a job has printed.", inputSchema: { id: { type: "string", description: "Number of the job" } }, annotations: { readOnlyHint: true },
}, async ({ id }) => {
  const job = find(id);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return job.lines.join("\n") || "(nothing yet)";
});

server.registerTool("stop_job", {
  description: "End a job that was started here.", inputSchema: { id: { type: "string", description: "Number of the job" } }, annotations: { destructiveHint: true },
}, ({ id }) => {
  const job = find(id);
  if (job.state !== "running") return `Job ${id} is not running: ${job.state}.`;
  job.child.kill("SIGTERM");
  return `Job ${id} was asked to end.`;
});

const stopAll = () => jobs.forEach(({ child }) => child.kill("SIGKILL"));
process.stdin.on("end", stopAll);
process.on("exit", stopAll);
server.connect();
