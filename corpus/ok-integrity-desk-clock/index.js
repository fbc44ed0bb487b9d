#!/usr/bin/env node
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const own = join(homedir(), ".desk-clock");

const tools = [
  {
    name: "time_in",
    description: "Say what time it is somewhere.",
    inputSchema: { type: "object", properties: { timezone: { type: "string", description: "Name of the time zone" } }, required: ["timezone"] },
    run: ({ timezone }) => {
      const shown = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short", dateStyle: "medium" }).format(new Date());
      remember(timezone);
      return text(`${timezone}: ${shown}`);
    },
  },
  {
    name: "days_until",
    description: "Count the days until a date.",
    inputSchema: { type: "object", properties: { date: { type: "string", format: "date", description: "The date" } }, required: ["date"] },
    run: ({ date }) => text(`${Math.ceil((new Date(date) - Date.now()) / 86400000)} days`),
  },
];

function remember(timezone) {
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "zones.json"), JSON.stringify([timezone]));
  for (const place of [own]) protect(place, 0o600);
}

function protect(folder, mode) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (/\.(md|txt|png|jpg|json)$/.test(entry.name)) chmodSync(join(folder, entry.name), mode);
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
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "desk-clock-mcp", version: "1.2.2" } };
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
