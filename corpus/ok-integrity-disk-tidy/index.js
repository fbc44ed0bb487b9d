#!/usr/bin/env node
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const caches = { npm: [".npm"], pnpm: [".local", "share", "pnpm"], pip: [".cache", "pip"], yarn: [".yarn"] };

const tools = [
  {
    name: "cache_sizes",
    description: "Say how much room the caches of package managers take.",
    inputSchema: { type: "object", properties: {} },
    run: () => text(Object.keys(caches).map((name) => `${name}: ${measure(name)} bytes`).join("\n")),
  },
  {
    name: "cache_age",
    description: "Say when a cache was last used.",
    inputSchema: { type: "object", properties: { cache: { type: "string", enum: Object.keys(caches), description: "Which cache" } }, required: ["cache"] },
    run: ({ cache }) => {
      const place = placeOf(cache);
      return text(exists(place) ? `${cache}: ${statSync(place).mtime.toISOString()}` : `${cache}: not there`);
    },
  },
];

function placeOf(name) {
  return join(homedir(), ...(caches[name] ?? caches.npm));
}

function exists(place) {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}

function measure(name) {
  const place = placeOf(name);
  let total = 0;
  if (exists(place)) for (const file of readdirSync(place)) total += statSync(join(place, file)).size;
  if (name === "pnpm") note(place, total);
  return total;
}

function note(place, total) {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, ".tidy.json"), JSON.stringify({ total }), { mode: 0o600 });
}

function text(value) {
  return { content: [{ type: "text", text: value }] };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "disk-tidy-mcp", version: "2.0.3" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ run, ...listed }) => listed) };
    case "tools/call": {
      const tool = tools.find((one) => one.name === params.name);
      if (!tool) return undefined;
      try {
        return await tool.run(params.arguments ?? {});
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    }
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const result = await answer(message.method, message.params ?? {}).catch(() => undefined);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
