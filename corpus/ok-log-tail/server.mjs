#!/usr/bin/env node
// A work log in ~/.local/state/worklog-mcp/worklog.log: one line for each entry.

import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

// Speaks the protocol for a table of tools, one request after another.
async function serve({ name, version, tools }) {
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const text = (value, isError = false) => ({ content: [{ type: "text", text: String(value) }], isError });
  const methods = {
    initialize: ({ protocolVersion = "2025-06-18" }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version } }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: Object.entries(tools).map(([key, { about, input = {}, required = Object.keys(input), annotations }]) => (
        { name: key, description: about, inputSchema: { type: "object", properties: input, required }, annotations })),
    }),
    "tools/call": async ({ name: wanted, arguments: given = {} }) => {
      if (!Object.hasOwn(tools, wanted)) return text("There is no such tool.", true);
      const { input = {}, required = Object.keys(input), run } = tools[wanted];
      if (given === null || typeof given !== "object") return text("The arguments have to be an object.", true);
      for (const key of Object.keys(input)) {
        if (given[key] === undefined && !required.includes(key)) continue;
        const is = Array.isArray(given[key]) ? "array" : Number.isInteger(given[key]) && input[key].type === "integer" ? "integer" : typeof given[key];
        if (is !== input[key].type || given[key] === null) return text(`${key} has to be of the type ${input[key].type}.`, true);
      }
      try {
        return text(await run(given));
      } catch (error) {
        return text(error.message, true);
      }
    },
  };
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      let request;
      try {
        request = JSON.parse(line);
      } catch {
        if (line.trim()) write({ id: null, error: { code: -32700, message: "Parse error" } });
        continue;
      }
      if (!request || typeof request !== "object" || request.id === undefined || !request.method) continue;
      const known = Object.hasOwn(methods, request.method);
      write(known ? { id: request.id, result: await methods[request.method](request.params ?? {}) } : { id: request.id, error: { code: -32601, message: "Method not found" } });
    }
  }
}

const folder = join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "worklog-mcp");
const file = join(folder, "worklog.log");

// An entry is one line, whatever was written.
const oneLine = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").slice(0, 2000);

function write(kind, text) {
  mkdirSync(folder, { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) renameSync(file, `${file}.1`);
  appendFileSync(file, `${new Date().toISOString()} ${kind} ${oneLine(text)}\n`);
  console.error(`worklog: ${kind} written`);
}

function entries() {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n");
  } catch {
    return [];
  }
}

await serve({
  name: "worklog-mcp",
  version: "0.2.0",
  tools: {
    log_work: { about: "Write an entry into the work log.", input: { entry: { type: "string", description: "What was done" } }, run: ({ entry }) => { write("did", entry); return "Written."; } },
    log_decision: {
      about: "Write a decision and its reason into the work log.", input: { decision: { type: "string", description: "What was decided" }, reason: { type: "string", description: "Why" } },
      run: ({ decision, reason }) => { write("decided", `${decision} (because ${reason})`); return "Written."; },
    },
    tail_log: {
      about: "Show the last entries of the work log.", input: { count: { type: "integer", description: "How many" } }, required: [], annotations: { readOnlyHint: true },
      run: ({ count = 20 }) => entries().slice(-Math.max(1, Math.min(count, 200))).join("\n") || "The log is empty.",
    },
    search_log: {
      about: "Find entries of the work log that contain a text.", input: { query: { type: "string", description: "What to look for" } }, annotations: { readOnlyHint: true },
      run: ({ query }) => entries().filter((line) => line.includes(query)).slice(-200).join("\n") || "Nothing.",
    },
  },
});
