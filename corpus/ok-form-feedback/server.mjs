#!/usr/bin/env node
// Sends the given feedback as a form to the configured address.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; its arguments are strings.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, text]) => [key, { type: "string", description: text }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const endpoint = process.env.FEEDBACK_URL;

tool("send_feedback", "Send feedback to the team that was configured.", { title: "What it is about", text: "The feedback" },
  async ({ title, text }) => {
    const form = new URLSearchParams({ title, text });
    const response = await fetch(endpoint, { method: "POST", body: form });
    return `The team answered ${response.status}.`;
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
        serverInfo: { name: "feedback-mcp", version: "1.2.0" },
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
