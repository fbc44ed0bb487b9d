#!/usr/bin/env node
// Calculates.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

function calculate(formula) {
  if (formula.length > 200) throw new Error("That is too long.");
  const tokens = formula.match(/\d+(?:\.\d+)?|\S/g) ?? [];
  const atom = () => {
    const token = tokens.shift();
    if (token === "-") return -atom();
    if (token !== "(") return /^\d/.test(token) ? Number(token) : fail();
    const value = sum();
    return tokens.shift() === ")" ? value : fail();
  };
  const product = () => {
    let value = atom();
    while (tokens[0] === "*" || tokens[0] === "/") value = tokens.shift() === "*" ? value * atom() : value / atom();
    return value;
  };
  const sum = () => {
    let value = product();
    while (tokens[0] === "+" || tokens[0] === "-") value = tokens.shift() === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return tokens.length ? fail() : value;
}

function fail() {
  throw new Error("Only numbers, + - * / and parentheses are understood.");
}

tool("solve", "Calculate the result of a formula.", { formula: "For example 2 * (3 + 4)" }, async ({ formula }) => calculate(formula));

async function call({ name, arguments: given }) {
  try {
    if (!tools.has(name)) throw new Error("There is no such tool.");
    return { content: [{ type: "text", text: String(await tools.get(name).run(given ?? {})) }] };
  } catch (error) {
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: typeof params.protocolVersion === "string" ? params.protocolVersion : "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "mathpad-mcp", version: "1.0.4" },
      };
    case "tools/list":
      return { tools: [...tools.values()].map(({ listed }) => listed) };
    case "tools/call":
      return call(params);
    case "ping":
      return {};
  }
}

async function serve(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return { id: null, error: { code: -32700, message: "Parse error" } };
  }
  if (typeof message?.method !== "string") return { id: null, error: { code: -32600, message: "Invalid Request" } };
  const { id, method, params } = message;
  if (typeof id !== "number" && typeof id !== "string") return;
  const result = await answer(method, params ?? {});
  return result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await serve(line);
  if (reply) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...reply })}\n`);
}
