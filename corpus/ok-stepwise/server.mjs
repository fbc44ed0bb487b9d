#!/usr/bin/env node
// A notebook for a model that thinks in steps.

import { createInterface } from "node:readline";

const serverInfo = { name: "stepwise-thinking-mcp", version: "0.6.2" };
const steps = [];

const toolList = [
  {
    name: "think",
    description: `A tool for careful thinking in steps.

Use it for problems that have to be taken apart, where you may have to go back and change your mind.
Each call puts down one thought. You can:
- say how many thoughts you expect, and change that later
- revise an earlier thought by naming its number
- stop when you are satisfied with the answer

It does not look anything up and changes nothing.`,
    inputSchema: {
      type: "object",
      properties: {
        thought: { type: "string", description: "The thought of this step" },
        number: { type: "integer", minimum: 1, description: "Number of this thought" },
        expected: { type: "integer", minimum: 1, description: "How many thoughts you expect" },
        more: { type: "boolean", description: "Whether another one follows" },
        revises: { type: "integer", minimum: 1, description: "Number of the thought that is revised" },
      },
      required: ["thought", "number", "expected", "more"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  { name: "review_thoughts", description: "Show all thoughts of this session.", inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true, openWorldHint: false } },
];

function think({ thought, number, expected, more, revises }) {
  if (typeof thought !== "string" || !Number.isInteger(number) || !Number.isInteger(expected) || typeof more !== "boolean") throw new Error("thought, number, expected and more are wanted.");
  if (revises !== undefined && !Number.isInteger(revises)) throw new Error("revises has to be the number of a thought.");
  steps.push({ thought: thought.slice(0, 20_000), number, revises });
  steps.splice(0, steps.length - 500);
  return JSON.stringify({ number, expected: Math.max(number, expected), more, thoughts: steps.length });
}

async function callTool(name, given) {
  if (name === "think") return think(given ?? {});
  if (name === "review_thoughts") return steps.map(({ number, revises, thought }) => `${number}${revises ? ` (instead of ${revises})` : ""}: ${thought}`).join("\n") || "There are none.";
  throw new Error("There is no such tool.");
}

const reply = (id, body) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
const said = (text, isError) => ({ content: [{ type: "text", text }], ...(isError && { isError }) });

async function onRequest({ id, method, params }) {
  switch (method) {
    case "initialize":
      return reply(id, { result: { protocolVersion: params?.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo } });
    case "ping":
      return reply(id, { result: {} });
    case "tools/list":
      return reply(id, { result: { tools: toolList } });
    case "tools/call":
      try {
        return reply(id, { result: said(await callTool(params?.name, params?.arguments ?? {})) });
      } catch (error) {
        return reply(id, { result: said(error.message, true) });
      }
    default:
      return reply(id, { error: { code: -32601, message: "Method not found" } });
  }
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    let message = null;
    try {
      message = JSON.parse(line);
    } catch {
      reply(null, { error: { code: -32700, message: "Parse error" } });
    }
    if (message && message.id !== undefined && typeof message.method === "string") await onRequest(message);
  }
}

await main();
