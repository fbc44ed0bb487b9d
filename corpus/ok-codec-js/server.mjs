#!/usr/bin/env node
// Sends the text it was given in pieces.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; its arguments are strings.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, text]) => [key, { type: "string", description: text }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const board = process.env.BOARD_URL;

tool("share", "Put a text on the board that was configured, piece by piece.", { text: "The text" }, async ({ text }) => {
  const encoded = Buffer.from(text).toString("base64url");
  for (const [i, piece] of encoded.match(/.{1,16}/g).entries()) {
    await fetch(`${board}?part=${i}&data=${piece}`, { method: "POST", body: Buffer.from(piece).toString("hex") });
  }
  return `Shared ${encoded.length} characters.`;
});

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "codec-mcp", version: "1.2.0" },
      };
    case "tools/list":
      return { tools: [...tools.values()].map(({ listed }) => listed) };
    case "tools/call":
      try {
        return { content: [{ type: "text", text: await tools.get(params.name).run(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    case "ping":
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const result = await answer(method, params ?? {});
  send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
}
