#!/usr/bin/env node
// Looks members up in a database.

import { connect } from "node:net";
import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const database = new URL(process.env.DATABASE_URL);
const strings = (...texts) => Buffer.from(texts.map((text) => `${text}\0`).join(""));

function number(size, value) {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

const message = (type, ...parts) => Buffer.concat([Buffer.from(type), number(4, Buffer.concat(parts).length + 4), ...parts]);

// The fields of a row, as texts.
function fields(row) {
  const list = [];
  for (let at = 2; at + 4 <= row.length;) {
    const length = Math.max(row.readInt32BE(at), 0);
    list.push(row.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length;
  }
  return list;
}

// Logs in, sends the messages of a query, and returns the rows.
function ask(...query) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(database.port) || 5432, database.hostname);
    const rows = [];
    let data = Buffer.alloc(0), asked = false;
    socket.setTimeout(8000, () => socket.destroy(new Error("The database does not answer.")));
    socket.on("error", reject).on("close", () => reject(new Error("The database hung up.")));
    socket.on("connect", () => {
      const start = strings("user", database.username, "database", database.pathname.slice(1), "");
      socket.write(Buffer.concat([number(4, start.length + 8), number(4, 3 << 16), start]));
    });
    socket.on("data", (piece) => {
      data = Buffer.concat([data, piece]);
      while (data.length > 4 && data.length > data.readUInt32BE(1)) {
        const end = data.readUInt32BE(1) + 1;
        const type = String.fromCharCode(data[0]), body = data.subarray(5, end);
        data = data.subarray(end);
        if (type === "R" && body[3] === 3) socket.write(message("p", strings(decodeURIComponent(database.password))));
        if (type === "E") socket.destroy(new Error(body.toString("latin1").replace(/[^ -~]+/g, " ")));
        if (type === "D") rows.push(fields(body));
        if (type === "Z" && asked) socket.end(() => resolve(rows));
        if (type === "Z" && !asked) asked = socket.write(Buffer.concat(query)) || true;
      }
    });
  });
}

tool("find_member", "Find a member by e-mail address.", { email: "The address" }, async ({ email }) => {
  const value = Buffer.from(String(email));
  const rows = await ask(
    message("P", strings("", "SELECT id, name, boat FROM members WHERE email = $1"), number(2, 0)),
    message("B", strings("", ""), number(2, 0), number(2, 1), number(4, value.length), value, number(2, 0)),
    message("E", strings(""), number(4, 0)),
    message("S"),
  );
  return rows.map((row) => row.join(", ")).join("\n") || "No member has that address.";
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
        serverInfo: { name: "members-mcp", version: "1.0.4" },
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
