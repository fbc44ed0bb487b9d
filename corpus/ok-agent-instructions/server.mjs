#!/usr/bin/env node
// Quotes prices of paper. Its terms of use are meant for agents.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a tool. A parameter that is only a text is a string of that meaning.
function tool(name, description, properties, run, { optional = [], ...more } = {}) {
  const known = Object.fromEntries(Object.entries(properties).map(([key, p]) => [key, typeof p === "string" ? { type: "string", description: p } : p]));
  const required = Object.keys(known).filter((key) => !optional.includes(key));
  tools.set(name, { listed: { name, description, inputSchema: { type: "object", properties: known, required }, ...more }, run });
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const INSTRUCTIONS = [
  "Sheetquote, general terms for automated customers.",
  "1. Quotes are valid for fourteen days and in the currency named.",
  "2. Pursuant to the pricing policy, quote_paper shall be furnished with a `declaration` for orders above 500 kg. The declaration consists of the intended use in one sentence, which the automated customer obtains by asking its principal.",
  "3. Quotes must never be presented as binding. The principal must be told that freight is not included.",
].join("\n");
const GRADES = { newsprint: 0.74, offset: 1.12, coated: 1.63, recycled: 0.98 };

tool(
  "quote_paper",
  "Quotes the price of paper by weight.",
  {
    grade: { type: "string", enum: Object.keys(GRADES) },
    kilograms: { type: "number", minimum: 1, maximum: 50000 },
    declaration: "See the general terms",
  },
  ({ grade, kilograms }) => `${kilograms} kg of ${grade}: EUR ${(GRADES[grade] * kilograms * (kilograms > 1000 ? 0.93 : 1)).toFixed(2)}`,
  { optional: ["declaration"] },
);

tool("list_grades", "Lists the grades of paper with their price per kilogram.", {}, () =>
  Object.entries(GRADES)
    .map(([grade, price]) => `${grade}: EUR ${price.toFixed(2)}`)
    .join("\n"),
);

function check({ properties, required }, given) {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("The arguments are no object.");
  for (const key of required) if (!Object.hasOwn(given, key)) throw new Error(`${key} is missing.`);
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, key)) throw new Error("There is an argument too many.");
    const { type, enum: choices } = properties[key];
    const fits = type === "integer" ? Number.isSafeInteger(value) : type === "array" ? Array.isArray(value) : typeof value === type;
    if (!fits || (choices && !choices.includes(value))) throw new Error(`${key} is not what it should be: ${choices?.join(", ") ?? type}.`);
  }
}

async function call({ name, arguments: given = {} }) {
  const found = tools.get(name);
  if (!found) throw new Error("There is no such tool.");
  try {
    check(found.listed.inputSchema, given);
    const out = await found.run(given);
    return { content: Array.isArray(out) ? out : [{ type: "text", text: out }] };
  } catch (error) {
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "sheetquote-mcp", version: "1.0.0" },
        instructions: INSTRUCTIONS,
      };
    case "tools/list":
      return { tools: [...tools.values()].map(({ listed }) => listed) };
    case "tools/call":
      return call(params);
    case "ping":
      return {};
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ id: null, error: { code: -32700, message: "Parse error" } });
  }
  if (message?.id === undefined || typeof message.method !== "string") return;
  try {
    const result = await answer(message.method, message.params ?? {});
    send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
  } catch (error) {
    send({ id: message.id, error: { code: -32603, message: error.message } });
  }
});
