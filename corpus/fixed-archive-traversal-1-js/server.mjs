#!/usr/bin/env node
// Imports data sets.

import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { createInterface } from "node:readline";
import { gunzipSync } from "node:zlib";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const store = join(homedir(), ".local/share/dataset-mcp");

// Yields the files of an archive: blocks of 512 bytes, a header before each.
function* entries(tar) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const field = (start, length) => tar.toString("latin1", at + start, at + start + length).split("\0")[0];
    const size = parseInt(field(124, 12), 8) || 0;
    if (field(156, 1) === "0" || field(156, 1) === "") yield { name: field(0, 100), content: tar.subarray(at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

tool("import_dataset", "Import a data set.", { content: "Tar archive, perhaps compressed with gzip, in base64" }, async ({ content }) => {
  let tar = Buffer.from(content, "base64");
  if (tar[0] === 0x1f && tar[1] === 0x8b) tar = gunzipSync(tar, { maxOutputLength: 16 << 20 });
  let count = 0;
  for (const { name, content } of entries(tar)) {
    const file = join(store, name);
    if (!file.startsWith(store + sep)) throw new Error("An entry leads out of the data set.");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    count++;
  }
  return `Imported ${count} files.`;
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
        serverInfo: { name: "dataset-mcp", version: "1.0.4" },
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
