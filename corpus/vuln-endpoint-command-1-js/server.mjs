#!/usr/bin/env node
// Keeps drafts, and shows them on a page of its own.
// VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const drafts = new Map([["first", "Once upon a time"]]);

tool("list_drafts", "List the drafts that are on the desk.", {}, () => [...drafts.keys()].join("\n"));

tool("read_draft", "Read a draft.", { draft: "Name of the draft" }, ({ draft }) => drafts.get(String(draft)) ?? "There is no such draft.");

// The page opens a draft in the editor that its reader likes.
function desk(request, response) {
  const url = new URL(request.url, "http://127.0.0.1");
  if (url.pathname === "/edit") {
    const editor = spawn(url.searchParams.get("editor") ?? "gedit", [url.searchParams.get("draft") ?? "first"], { stdio: "ignore" });
    editor.on("error", () => {});
    return response.end("It is open now.");
  }
  if (url.pathname !== "/") return response.writeHead(404).end("There is nothing here.");
  response.setHeader("Content-Type", "text/html");
  response.end(`<h1>Drafts</h1><a href="/edit?editor=gedit&draft=first">first</a>`);
}

const web = createServer(desk);
web.on("error", () => process.stderr.write("The page is shown by somebody else already.\n"));
web.listen(7431, "127.0.0.1", () => process.stderr.write(`The drafts are at http://127.0.0.1:7431/\n`));
web.unref();

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
        serverInfo: { name: "draft-desk-mcp", version: "1.0.4" },
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
