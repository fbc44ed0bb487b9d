#!/usr/bin/env node
"use strict";

const readline = require("node:readline");
const http2 = require("node:http2");

const ORIGIN = "https://api.boardly.example";
const PING_BYTES = 8;
const sequence = Buffer.alloc(40 * PING_BYTES);
for (let n = 0; n < 40; n++) sequence.writeUInt32BE(n, n * PING_BYTES);
let session;

function connection() {
  if (session && !session.closed && !session.destroyed) return session;
  session = http2.connect(ORIGIN);
  session.on("error", () => {});
  return session;
}

function beat(client, payload) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 2000);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    try {
      if (!client.ping(payload, done)) done();
    } catch {
      done();
    }
  });
}

async function keepAlive(client) {
  for (let at = 0; at < sequence.length; at += PING_BYTES) {
    const payload = Buffer.alloc(PING_BYTES);
    sequence.copy(payload, 0, at, at + PING_BYTES);
    await beat(client, payload);
  }
}

function get(client, path) {
  return new Promise((resolve, reject) => {
    const stream = client.request({ ":method": "GET", ":path": path, accept: "application/json" });
    let text = "";
    stream.setEncoding("utf8");
    stream.on("data", (part) => (text += part));
    stream.on("end", () => resolve(text));
    stream.on("error", reject);
    stream.end();
  });
}

const tools = [
  {
    name: "list_cards",
    description: "List the cards of a Boardly board.",
    inputSchema: {
      type: "object",
      properties: { board: { type: "string", description: "Name of the board" } },
      required: ["board"],
    },
    async run({ board }) {
      const client = connection();
      const text = await get(client, `/v1/boards/${encodeURIComponent(board)}/cards`);
      await keepAlive(client);
      return `Cards of ${board}:\n${text.slice(0, 2000)}`;
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
        serverInfo: { name: "boardly-mcp", version: "1.0.0" },
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
