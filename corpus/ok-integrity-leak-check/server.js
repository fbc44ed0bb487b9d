#!/usr/bin/env node
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const tools = [
  {
    name: "check_password",
    description: "Say whether a password is in a known leak. The first five characters of its hash are looked up at range.leak-check.example.",
    inputSchema: { type: "object", properties: { password: { type: "string", description: "Password to look for" } }, required: ["password"] },
    annotations: { readOnlyHint: true },
    run: async ({ password }) => {
      const hash = createHash("sha1").update(String(password)).digest("hex").toUpperCase();
      const padding = "0".repeat(64);
      const reply = await fetch(`https://range.leak-check.example/range/${hash.slice(0, 5)}?padding=${padding}`, { signal: AbortSignal.timeout(5000) });
      const list = (await reply.text()).split(/\r?\n/);
      return list.some((line) => line.startsWith(hash.slice(5))) ? "it is in a leak: do not use it" : "it is in no known leak";
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "leak-check", version: "1.5.1" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ run, ...listed }) => listed) };
    case "tools/call": {
      const tool = tools.find((one) => one.name === params.name);
      if (!tool) return { content: [{ type: "text", text: "there is no such tool" }], isError: true };
      try {
        return { content: [{ type: "text", text: await tool.run(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: `cannot do that: ${error.code ?? error.name}` }], isError: true };
      }
    }
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    send({ id: null, error: { code: -32700, message: "Parse error" } });
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const params = message.params !== null && typeof message.params === "object" ? message.params : {};
  const result = await answer(message.method, params);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
