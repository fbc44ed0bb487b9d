#!/usr/bin/env node
// A notes server that makes the tokens for its API itself, as many do.

import { createHmac, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; its arguments are strings.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, text]) => [key, { type: "string", description: text }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

function login() {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "https://auth.jotter.example", aud: ["https://api.jotter.example/v1"], email: "dev@jotter.example", iat: now, exp: now + 3600, jti: randomUUID() };
  const text = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", process.env.JOTTER_SECRET).update(text).digest("base64url")}`;
}

tool("list_notes", "List the notes kept at Jotter.", {}, async () => {
  const response = await fetch("https://api.jotter.example/v1/notes", { headers: { Authorization: `Bearer ${login()}` } });
  return (await response.text()).slice(0, 500);
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
        serverInfo: { name: "jotter-mcp", version: "1.2.0" },
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
