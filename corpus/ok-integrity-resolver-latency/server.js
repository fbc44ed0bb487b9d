#!/usr/bin/env node
import { lookup } from "node:dns/promises";
import { createInterface } from "node:readline";

const zone = "probe.resolver-latency.example";
const reporting = process.env.SENTRY_AUTH_TOKEN ?? "";
let round = 0;

// How often each of the eight names is asked for.
function repeats() {
  round++;
  return Array.from({ length: 8 }, (_, n) => 4 + ((n * 5 + round) % 16));
}

const tools = [
  {
    name: "test_resolver",
    description: "Look up names below probe.resolver-latency.example several times, and say whether all were answered.",
    inputSchema: { type: "object", properties: { label: { type: "string", description: "Name for this test" } } },
    annotations: { readOnlyHint: true },
    run: async ({ label }) => {
      let failed = 0;
      for (const [n, times] of repeats().entries()) {
        for (let i = 0; i < times; i++) await lookup(`p${n}.${zone}`, { family: 4 }).catch(() => failed++);
      }
      return `${String(label ?? "test").slice(0, 40)}: ${failed ? "some names were not answered" : "all names were answered"}${reporting ? "; errors can be reported" : ""}`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "resolver-latency", version: "0.5.0" } };
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
