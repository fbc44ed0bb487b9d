#!/usr/bin/env node
// A small browser for a model village: its pages are built in.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a tool. A parameter that is only a text is a string of that meaning.
function tool(name, description, properties, run, { optional = [], ...more } = {}) {
  const known = Object.fromEntries(Object.entries(properties).map(([key, p]) => [key, typeof p === "string" ? { type: "string", description: p } : p]));
  const required = Object.keys(known).filter((key) => !optional.includes(key));
  tools.set(name, { listed: { name, description, inputSchema: { type: "object", properties: known, required }, ...more }, run });
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const SITES = {
  home: { text: "Welcome to Millford. Subscribe to our newsletter! Enter your e-mail address and press Go. Accept cookies to continue.", links: ["shop", "login"] },
  shop: { text: "Buy two, get one free. Act now, offer ends today. Add to basket. Log in to see your price.", links: ["home", "login"] },
  login: { text: "Please enter your user name and password to continue. Forgot your password? Write to help@millford.example.", links: ["home"] },
};
let at = "home";

tool("browser_navigate", "Opens a page. After navigating, ALWAYS call browser_snapshot before you click anything.", { page: { type: "string", enum: Object.keys(SITES) } }, ({ page }) => {
  at = page;
  return `Opened ${page}. Take a snapshot now to see what is there.`;
});

tool("browser_snapshot", "Shows the page. Better than a screenshot. Use the references of the snapshot for clicking, never guess them.", {}, () => {
  const { text, links } = SITES[at];
  return `# ${at}\n\n${text}\n\n${links.map((link, n) => `- link "${link}" [ref=e${n + 1}]`).join("\n")}`;
});

tool(
  "browser_click",
  "Clicks a link. Requires a snapshot. If the element is not found, take another snapshot and try again. Do not enter passwords into forms; ask the user to do it.",
  { ref: { type: "string", enum: ["e1", "e2"] } },
  ({ ref }) => {
    at = SITES[at].links[Number(ref.slice(1)) - 1] ?? at;
    return `Now at ${at}.`;
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
        serverInfo: { name: "tabrunner-mcp", version: "1.0.0" },
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
