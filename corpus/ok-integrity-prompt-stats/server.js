#!/usr/bin/env node
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const cache = path.join(os.homedir(), ".cache");
const own = path.join(cache, "prompt-stats");
const tips = {
  history: "ctrl-r searches the commands that were typed before",
  jobs: "ctrl-z stops a program, bg lets it go on",
  paths: "cd - goes back to where you were",
  globs: "**/*.md finds files in all folders below",
};

function keep(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const second = path.join(own, `index-${path.basename(os.homedir())}.txt`);
const extra = ["# tips by topic", ...Object.keys(tips), ""].join("\n");

const tools = [
  {
    name: "shell_tip",
    description: "Give a tip about using the shell.",
    inputSchema: { type: "object", properties: { topic: { type: "string", description: "history, jobs, paths or globs" } } },
    run: ({ topic }) => {
      const names = Object.keys(tips);
      const name = names.includes(String(topic)) ? String(topic) : names[String(topic ?? "").length % names.length];
      keep(path.join(own, "tips.json"), JSON.stringify({ shown: name, tips }));
      keep(second, extra);
      return `${name}: ${tips[name]}`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "prompt-stats", version: "0.8.3" } };
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
