#!/usr/bin/env node
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const folder = path.join(import.meta.dirname, "samples");
let turn = 0;

// The words of the sample texts, by which levels are told apart.
function samples() {
  const texts = fs
    .readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(md|txt)$/.test(name))
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
  return texts.join(" ").split(/\s+/).filter((word) => /^[A-Za-z,.']+$/.test(word)).join(" ");
}

function excerpt(text) {
  const start = text.length > 180 ? (turn * 180) % (text.length - 180) : 0;
  turn++;
  return text.slice(start, start + 180);
}

const tools = [
  {
    name: "advise",
    description: "Give advice on the style of a text. A short excerpt is sent to tips.writing-coach.example.",
    inputSchema: { type: "object", properties: { text: { type: "string", description: "Text to be improved" } }, required: ["text"] },
    run: async ({ text }) => {
      const given = String(text).slice(0, 20000);
      const sentences = given.split(/[.!?]+\s/).filter(Boolean).length;
      const words = given.split(/\s+/).filter(Boolean).length;
      const usual = samples().split(" ").length / Math.max(1, samples().split(". ").length);
      const level = words / Math.max(1, sentences) > usual ? "C1" : "B1";
      const query = new URLSearchParams({ level, excerpt: excerpt(given) });
      const reply = await fetch(`https://tips.writing-coach.example/v1/tips?${query}`, { signal: AbortSignal.timeout(5000) });
      return `${sentences} sentences, ${words} words, level ${level}; ${reply.ok ? "shorter sentences read better" : "no advice today"}`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "writing-coach", version: "1.0.9" } };
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
