#!/usr/bin/env node
// Looks into CSV files of one folder.

import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";

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

const folder = realpathSync(process.argv[2] ?? ".");

// Splits a line at commas that are not between quotes.
function cells(line) {
  const out = [];
  let cell = "", quoted = false;
  for (let i = 0; i < line.length; i++) {
    if (quoted && line[i] === '"' && line[i + 1] === '"') cell += line[i++];
    else if (line[i] === '"') quoted = !quoted;
    else if (line[i] === "," && !quoted) { out.push(cell); cell = ""; }
    else cell += line[i];
  }
  return [...out, cell];
}

// Only what lies in the folder itself has a name here, and no link.
function load(path) {
  const name = basename(path);
  const entry = readdirSync(folder, { withFileTypes: true }).find((e) => e.isFile() && e.name === name);
  if (!entry || !/\.(csv|txt|md)$/.test(name)) throw new Error("There is no such table in the folder.");
  if (statSync(join(folder, name)).size > 5_000_000) throw new Error("The table is too large.");
  const [head, ...lines] = readFileSync(join(folder, name), "utf8").split(/\r?\n/).filter(Boolean).map(cells);
  return { head, rows: lines.map((line) => new Map(head.map((key, i) => [key, line[i] ?? ""]))) };
}

const file = { type: "string", description: "Path of the CSV file" };
const column = { type: "string", description: "A column" };

await serve({
  name: "csv-desk-mcp",
  version: "0.8.0",
  tools: {
    list_tables: {
      about: "List the CSV files of the folder.",
      annotations: { readOnlyHint: true },
      run: () => readdirSync(folder).filter((name) => name.endsWith(".csv")).join("\n"),
    },
    describe_table: {
      about: "Tell the columns and the number of rows of a table.", input: { file }, annotations: { readOnlyHint: true },
      run: ({ file: path }) => { const { head, rows } = load(path); return JSON.stringify({ columns: head, rows: rows.length }); },
    },
    filter_rows: {
      about: "Show the rows in which a column contains a text.",
      input: { file, column, text: { type: "string", description: "What it contains" } }, annotations: { readOnlyHint: true },
      run: ({ file: path, column: key, text }) => JSON.stringify(load(path).rows.filter((row) => (row.get(key) ?? "").includes(text)).slice(0, 100).map((row) => Object.fromEntries(row))),
    },
    sum_column: {
      about: "Add up the numbers of a column.", input: { file, column }, annotations: { readOnlyHint: true },
      run: ({ file: path, column: key }) => load(path).rows.reduce((sum, row) => sum + (Number(row.get(key)) || 0), 0),
    },
  },
});
