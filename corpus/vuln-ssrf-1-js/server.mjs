#!/usr/bin/env node
// Reads web pages.
// VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.

import http from "node:http";
import https from "node:https";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const inside = ["localhost", "127.0.0.1", "::1", "169.254.169.254", "metadata.google.internal"];

tool("read_page", "Read a web page as text.", { url: "Address of the page" }, ({ url }) => new Promise((resolve, reject) => {
  const page = new URL(url);
  if (inside.some((host) => url.includes(host))) throw new Error("That host is not public.");
  const { get } = page.protocol === "https:" ? https : http;
  get(page, { timeout: 8000 }, (response) => {
    let text = "";
    response.on("data", (piece) => { text = (text + piece).slice(0, 8000); });
    response.on("end", () => resolve(text.replace(/<[^<>]*>/g, " ")));
    response.on("error", reject);
  }).on("error", reject).on("timeout", function () { this.destroy(new Error("The page takes too long.")); });
}));

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
        serverInfo: { name: "pagereader-mcp", version: "1.0.4" },
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
