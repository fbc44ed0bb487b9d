#!/usr/bin/env node
// Makes scales for charts.
// VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const whole = (description) => ({ type: "integer", description });

tool("make_scale", "List the marks of a scale.", { first: whole("First mark"), last: whole("Last mark"), step: whole("Distance between marks") }, async ({ first, last, step }) => {
  if (Math.abs(last - first) > 1000) throw new Error("A scale has at most 1000 marks.");
  const marks = [];
  for (let mark = first; mark <= last; mark += step) marks.push(mark);
  return marks.join(" ") || "There are no marks.";
});

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
        serverInfo: { name: "ruler-mcp", version: "1.0.4" },
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
