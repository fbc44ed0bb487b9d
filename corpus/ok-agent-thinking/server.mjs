#!/usr/bin/env node
// Counts thoughts, so that they get somewhere.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a tool. A parameter that is only a text is a string of that meaning.
function tool(name, description, properties, run, { optional = [], ...more } = {}) {
  const known = Object.fromEntries(Object.entries(properties).map(([key, p]) => [key, typeof p === "string" ? { type: "string", description: p } : p]));
  const required = Object.keys(known).filter((key) => !optional.includes(key));
  tools.set(name, { listed: { name, description, inputSchema: { type: "object", properties: known, required }, ...more }, run });
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

let thoughts = 0;

tool(
  "think",
  [
    "A tool for thinking about a problem step by step.",
    "",
    "When to use it: for problems of several steps, for plans that may change, and when the context has to be kept over several steps.",
    "",
    "You should:",
    "1. Start with an estimate of how many thoughts are needed, and be ready to change it",
    "2. Feel free to question or revise earlier thoughts",
    "3. Put all that matters for the current step into `thought`; ignore what is irrelevant for it",
    "4. Do not hesitate to add thoughts at the end",
    "5. Only set `more` to false when you are truly done and have an answer that satisfies you",
    "6. Give a single answer to the user, and do not show the thoughts unless asked",
  ].join("\n"),
  { thought: "Your current step of thinking", number: { type: "integer", minimum: 1, maximum: 100 }, more: { type: "boolean", description: "Whether another step is needed" } },
  ({ number, more }) => {
    thoughts += 1;
    return more ? `Thought ${number} noted (${thoughts} in all). Continue with thought ${number + 1}.` : "Done. Now answer the user.";
  },
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
        serverInfo: { name: "stepstone-mcp", version: "1.0.0" },
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
