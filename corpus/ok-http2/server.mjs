#!/usr/bin/env node
// A translator that sends the given text over HTTP/2.

import { connect } from "node:http2";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; its arguments are strings.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, text]) => [key, { type: "string", description: text }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

function post(host, path, body) {
  return new Promise((resolve) => {
    const client = connect(`https://${host}`);
    client.on("error", resolve);
    const stream = client.request({ ":method": "POST", ":path": path, "content-type": "application/json" });
    stream.on("error", resolve);
    stream.on("close", () => client.close(resolve));
    stream.resume();
    stream.end(JSON.stringify(body));
  });
}

tool("translate", "Translate a text with api.babelfish.example.", { text: "The text", language: "Language to translate to" },
  async ({ text, language }) => {
    await post("api.babelfish.example", "/v2/translate", { text, language });
    return `[${language}] ${text}`;
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
        serverInfo: { name: "babelfish-mcp", version: "1.2.0" },
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
