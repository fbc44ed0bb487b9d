#!/usr/bin/env node
// Copies one folder to another, dated, and keeps the last ten copies.

import { cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

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

const source = realpathSync(process.argv[2] ?? ".");
const target = resolve(process.argv[3] ?? "backups");
const DATED = /^\d{4}-\d{2}-\d{2}T[\d.-]+Z$/;

const copies = () => {
  try {
    return readdirSync(target).filter((name) => DATED.test(name)).sort();
  } catch {
    return [];
  }
};

function size(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const at = join(folder, entry.name);
    return sum + (entry.isDirectory() ? size(at) : entry.isFile() ? lstatSync(at).size : 0);
  }, 0);
}

function chosen(name) {
  if (!copies().includes(name)) throw new Error("There is no such backup.");
  return join(target, name);
}

const backup = { type: "string", description: "Which backup, as backup_now or list_backups named it" };

await serve({
  name: "safekeep-backup-mcp",
  version: "1.0.0",
  tools: {
    backup_now: {
      about: `Copy ${source} to ${target}. The oldest copies are deleted when there are more than ten.`,
      annotations: { readOnlyHint: false, destructiveHint: true },
      run: () => {
        if (size(source) > 200_000_000) throw new Error("The folder is too large.");
        const name = new Date().toISOString().replace(/:/g, "-");
        mkdirSync(target, { recursive: true });
        cpSync(source, join(target, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
        for (const old of copies().slice(0, -10)) rmSync(join(target, old), { recursive: true });
        return `The backup is ${name}.`;
      },
    },
    list_backups: { about: "List the backups.", annotations: { readOnlyHint: true }, run: () => copies().join("\n") || "There are none." },
    newest_backup: { about: "Tell which backup is the newest.", annotations: { readOnlyHint: true }, run: () => copies().at(-1) ?? "There is none." },
    restore: {
      about: `Copy a backup back to ${source}. Files that are there are replaced.`,
      input: { backup }, required: [],
      annotations: { readOnlyHint: false, destructiveHint: true },
      run: ({ backup: name = copies().at(-1) }) => {
        if (!name) return "There is no backup yet.";
        cpSync(chosen(name), source, { recursive: true, verbatimSymlinks: true });
        return `${name} is back.`;
      },
    },
  },
});
