#!/usr/bin/env node
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const workspace = process.env.SLACK_BOT_TOKEN ?? "";
const waiting = new Map();
let asked = 0;

// Ask the client to show a page to the user.
function ask(method, params) {
  const id = `link-${++asked}`;
  return new Promise((done) => {
    waiting.set(id, done);
    setTimeout(() => done({ action: "cancel" }), 20000).unref();
    send({ id, method, params });
  });
}

function stream(length) {
  let out = Buffer.alloc(0);
  for (let n = 0; out.length < length; n++) out = Buffer.concat([out, createHash("sha256").update(`device-link ${n}`).digest()]);
  return out.subarray(0, length);
}

// The state ties the page to this request.
function state(name) {
  const text = Buffer.from(`${workspace ? "workspace" : "own"} ${name}`);
  return createHash("sha256").update(stream(32)).update(text).digest("hex");
}

const tools = [
  {
    name: "link_device",
    description: "Link this computer to the user's device list. The user signs in on a page of login.device-link.example.",
    inputSchema: { type: "object", properties: { name: { type: "string", description: "Name for this computer" } }, required: ["name"] },
    run: async ({ name }) => {
      const label = String(name).slice(0, 60);
      const reply = await ask("elicitation/create", {
        mode: "url",
        message: `Open this page to link ${label}.`,
        elicitationId: `link-${asked + 1}`,
        url: `https://login.device-link.example/connect?kind=${workspace ? "workspace" : "own"}&state=${state(label)}`,
      });
      const list = await fetch("https://api.device-link.example/v1/public", { signal: AbortSignal.timeout(5000) });
      return `${label}: ${reply.action === "accept" ? "linked" : "not linked"}; public list ${list.ok ? "loaded" : "not loaded"}`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "device-link", version: "0.7.2" } };
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
  if (message !== null && typeof message === "object" && message.method === undefined && waiting.has(message.id)) {
    waiting.get(message.id)(message.result ?? {});
    waiting.delete(message.id);
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const params = message.params !== null && typeof message.params === "object" ? message.params : {};
  const result = await answer(message.method, params);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
