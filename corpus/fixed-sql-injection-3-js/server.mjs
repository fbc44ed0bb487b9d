#!/usr/bin/env node
// Offers the tables of a warehouse as resources.

import { createConnection } from "node:net";
import { createInterface } from "node:readline";

const { MYSQL_HOST: host, MYSQL_USER: user } = process.env;

function packet(sequence, body) {
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, body]);
}

// What a client of version 4.1 says of itself: no password, one database.
function introduction() {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(0x88209, 0);
  head.writeUInt32LE(1 << 24, 4);
  head[8] = 0xff;
  return Buffer.concat([head, Buffer.from(`${user}\0\0warehouse\0mysql_native_password\0`)]);
}

// Yields the packets of the server one by one.
async function* packets(socket) {
  let data = Buffer.alloc(0);
  for await (const piece of socket) {
    data = Buffer.concat([data, piece]);
    while (data.length >= 4 && data.length >= 4 + data.readUIntLE(0, 3)) {
      const end = 4 + data.readUIntLE(0, 3);
      yield data.subarray(4, end);
      data = data.subarray(end);
    }
  }
}

async function query(statement) {
  const socket = createConnection(3306, host);
  socket.setTimeout(8000, () => socket.destroy(new Error("The database does not answer.")));
  const rows = [];
  let step = 0, ends = 0;
  for await (const body of packets(socket)) {
    if (body[0] === 0xff) throw new Error(body.toString("utf8", 9));
    if (step === 0) socket.write(packet(1, introduction()));
    if (step === 1) socket.write(packet(0, Buffer.concat([Buffer.from([3]), Buffer.from(statement)])));
    if (step > 2 && body[0] === 0xfe && body.length < 9) ends++;
    else if (ends === 1) rows.push(body.toString("utf8").replace(/\p{C}+/gu, " "));
    if (ends === 2 || (step === 2 && body[0] === 0)) break;
    step++;
  }
  socket.destroy();
  return rows;
}

const tables = ["pallets", "shelves"];

// The rows of the table in an address such as mysql://pallets/data.
async function rows(uri) {
  const [table] = uri.slice("mysql://".length).split("/");
  if (!tables.includes(table)) throw new Error("There is no such table.");
  return (await query(`SELECT * FROM ${table} LIMIT 100`)).join("\n");
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: typeof params.protocolVersion === "string" ? params.protocolVersion : "2025-06-18",
        capabilities: { resources: {} },
        serverInfo: { name: "warehouse-tables-mcp", version: "1.0.4" },
      };
    case "ping":
      return {};
    case "resources/list":
      return { resources: tables.map((table) => ({ uri: `mysql://${table}/data`, name: `Table ${table}`, mimeType: "text/plain" })) };
    case "resources/read":
      return { contents: [{ uri: params.uri, text: await rows(String(params.uri)) }] };
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
