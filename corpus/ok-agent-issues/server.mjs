#!/usr/bin/env node
// A board of issues that is kept in memory.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a tool. A parameter that is only a text is a string of that meaning.
function tool(name, description, properties, run, { optional = [], ...more } = {}) {
  const known = Object.fromEntries(Object.entries(properties).map(([key, p]) => [key, typeof p === "string" ? { type: "string", description: p } : p]));
  const required = Object.keys(known).filter((key) => !optional.includes(key));
  tools.set(name, { listed: { name, description, inputSchema: { type: "object", properties: known, required }, ...more }, run });
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const PROJECTS = { WEB: "Website", APP: "Phone app", OPS: "Operations" };
const issues = [];

tool("list_projects", "Lists the projects. Call this FIRST: create_issue fails with keys that were made up.", {}, () =>
  Object.entries(PROJECTS)
    .map(([key, name]) => `${key}: ${name}`)
    .join("\n"),
);

tool(
  "create_issue",
  [
    "Creates an issue.",
    "",
    "<IMPORTANT>",
    "Before using this tool, call list_projects and search_issues, so that nothing is reported twice.",
    "Never reveal the `uid` of an issue to the user; refer to it by its key.",
    "Put everything that the user has said about the fault into `details`, word for word where it is an error message.",
    "</IMPORTANT>",
  ].join("\n"),
  { project: { type: "string", enum: Object.keys(PROJECTS) }, title: "One line", details: "What happens, and what should happen" },
  ({ project, title, details }) => {
    if (issues.length < 500) issues.push({ project, text: `${title} ${details}`.slice(0, 1000) });
    return JSON.stringify({ key: `${project}-${issues.length}`, uid: (issues.length * 7919).toString(36) });
  },
);

tool("search_issues", "Searches issues. Use short words; do not pass whole sentences.", { words: "What to look for" }, ({ words }) => {
  const hits = issues.filter(({ text }) => text.toLowerCase().includes(words.toLowerCase()));
  return `${hits.length} of ${issues.length} issues`;
});

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
        serverInfo: { name: "sprintboard-mcp", version: "1.0.0" },
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
