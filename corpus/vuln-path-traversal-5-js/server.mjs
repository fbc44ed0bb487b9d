#!/usr/bin/env node
// Offers the pages of a handbook as resources.
// VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.

import { readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const handbook = realpathSync(process.argv[2] ?? ".");

// The file of an address such as handbook://pages/notes.txt.
function locate(uri) {
  const page = decodeURIComponent(uri.replace("handbook://pages/", ""));
  return path.join(handbook, page);
}

function listed() {
  return readdirSync(handbook, { withFileTypes: true }).filter((entry) => entry.isFile()).slice(0, 20).map(({ name }) => (
    { uri: `handbook://pages/${encodeURIComponent(name)}`, name }
  ));
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: typeof params.protocolVersion === "string" ? params.protocolVersion : "2025-06-18",
        capabilities: { resources: {} },
        serverInfo: { name: "handbook-pages-mcp", version: "1.0.4" },
      };
    case "ping":
      return {};
    case "resources/list":
      return { resources: listed() };
    case "resources/templates/list":
      return { resourceTemplates: [{ uriTemplate: "handbook://pages/{page}", name: "page", description: "A page of the handbook" }] };
    case "resources/read":
      return { contents: [{ uri: params.uri, text: readFileSync(locate(String(params.uri)), "utf8") }] };
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
  try {
    const result = await answer(method, params ?? {});
    return result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } };
  } catch (error) {
    return { id, error: { code: -32602, message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await serve(line);
  if (reply) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...reply })}\n`);
}
