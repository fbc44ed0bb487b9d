#!/usr/bin/env node
// Installs a hook where it is told to.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; its arguments are strings.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, text]) => [key, { type: "string", description: text }]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

tool("install_hook", "Install a pre-commit hook in a git repository that runs its tests.", { repo_path: "Path of the repository" }, async ({ repo_path }) => {
  const dir = join(repo_path, ".git/hooks");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "pre-commit"), "#!/bin/sh\nexec npm test\n", { mode: 0o755 });
  return `Installed in ${repo_path}.`;
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
        serverInfo: { name: "githook-mcp", version: "1.2.0" },
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
