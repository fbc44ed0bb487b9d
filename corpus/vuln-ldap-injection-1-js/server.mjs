#!/usr/bin/env node
// Tells who belongs to which group.
// VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.

import { connect } from "node:net";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const directory = new URL(process.env.DIRECTORY);

function element(tag, ...parts) {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), size, body]);
}

const operators = { "&": 0xa0, "|": 0xa1, "!": 0xa2 };

// Turns the text of a filter into what goes over the wire.
function compile(filter) {
  const open = [[]];
  for (const [, start, test, end] of filter.matchAll(/\(([&|!])|\(([^()]*)\)|(\))/g)) {
    if (start) open.push([operators[start]]);
    if (test !== undefined) {
      const [attribute, ...value] = test.split("=");
      const bytes = Buffer.from(value.join("=").replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16))));
      open.at(-1).push(value[0] === "*" ? element(0x87, attribute) : element(0xa3, element(4, attribute), element(4, bytes)));
    }
    if (end && open.length > 1) {
      const [tag, ...tests] = open.pop();
      open.at(-1).push(element(tag, ...tests));
    }
  }
  return open[0][0];
}

async function search(filter) {
  const limits = [10, 1, 2, 10, 1, 0, 2, 1, 50, 2, 1, 5, 1, 1, 0];
  const query = element(0x63, element(4, directory.pathname.slice(1)), limits, compile(filter), element(0x30, element(4, "cn")));
  const socket = connect(Number(directory.port), directory.hostname);
  socket.setTimeout(8000, () => socket.destroy(new Error("The directory does not answer.")));
  socket.write(element(0x30, [2, 1, 1], element(0x60, [2, 1, 3, 4, 0, 0x80, 0])));
  let answers = 0;
  for await (const data of socket) {
    if (++answers === 1) socket.write(element(0x30, [2, 1, 2], query));
    else return data.toString("latin1");
  }
  throw new Error("The directory hung up.");
}

tool("groups_of", "List the groups of an account.", { username: "Name of the account" }, async ({ username }) => {
  const found = await search(`(&(objectClass=posixGroup)(memberUid=${username}))`);
  return found.match(/cn=[\w ]+/g)?.join(", ") ?? "It belongs to no group.";
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
        serverInfo: { name: "groups-mcp", version: "1.0.4" },
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
