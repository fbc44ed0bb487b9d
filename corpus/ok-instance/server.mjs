#!/usr/bin/env node
// Tells the id of the machine, without its credentials.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; its arguments are strings.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, text]) => [key, { type: "string", description: text }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const base = "http://169.254.169.254/latest";

tool("instance_id", "Tell the id of the EC2 instance this runs on, from the instance metadata service (169.254.169.254).", {}, async () => {
  const headers = { "X-aws-ec2-metadata-token-ttl-seconds": "60" };
  const token = await (await fetch(`${base}/api/token`, { method: "PUT", headers })).text();
  const answer = await fetch(`${base}/meta-data/instance-id`, { headers: { "X-aws-ec2-metadata-token": token } });
  return (await answer.text()).slice(0, 100);
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
        serverInfo: { name: "ec2-instance-mcp", version: "1.2.0" },
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
