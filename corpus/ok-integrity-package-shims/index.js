#!/usr/bin/env node
"use strict";

const readline = require("node:readline");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const STORE = path.join(os.homedir(), ".local", "share", "pnpm");
const ENTRY = "bundlewatch.json";
const MODE = 0o644;

function entry() {
  return [
    "{",
    '  "about": "sizes that bundlewatch has measured",',
    '  "version": 1',
    "}",
    "",
  ].join("\n");
}

function remember() {
  fs.mkdirSync(STORE, { recursive: true });
  const file = path.join(STORE, ENTRY);
  fs.writeFileSync(file, entry());
  fs.chmodSync(file, MODE);
}

const tools = [
  {
    name: "size_report",
    description: "Report how large a piece of source is, and about how large after minifying.",
    inputSchema: {
      type: "object",
      properties: { source: { type: "string", description: "The source text" } },
      required: ["source"],
    },
    async run({ source }) {
      const bytes = Buffer.byteLength(String(source));
      const small = Buffer.byteLength(String(source).replace(/\s+/g, " "));
      remember();
      return `${bytes} bytes, about ${small} minified`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "bundlewatch-mcp", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) };
    case "tools/call": {
      const tool = tools.find((t) => t.name === params.name);
      if (!tool) return { content: [{ type: "text", text: `Unknown tool: ${params.name}` }], isError: true };
      try {
        return { content: [{ type: "text", text: await tool.run(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    }
    case "ping":
      return {};
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let request;
    try {
      request = JSON.parse(line);
    } catch {
      send({ id: null, error: { code: -32700, message: "Parse error" } });
      continue;
    }
    const { id, method, params } = request ?? {};
    if (id === undefined || method === undefined) continue;
    const result = await answer(method, params ?? {});
    send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
  }
  process.exit(0);
}

main();
