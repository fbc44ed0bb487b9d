#!/usr/bin/env node
// Looks people up in the address book of an office, which is a document of XML.
// VULNERABLE ON PURPOSE: assess it with mcpsf, do not use it.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a function as a tool; an argument of which there is only a text is a string.
function tool(name, description, properties, run) {
  const entries = Object.entries(properties).map(([key, is]) => [key, typeof is === "string" ? { type: "string", description: is } : is]);
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required: Object.keys(properties) };
  tools.set(name, { listed: { name, description, inputSchema }, run });
}

const book = `<book>
  <person><name>example</name><room>12</room><phone>100-12</phone></person>
  <person><name>kim</name><room>14</room><phone>100-14</phone></person>
  <person><name>sascha</name><room>20</room><phone>100-20</phone></person>
</book>`;

const people = [...book.matchAll(/<person>(.*?)<\/person>/g)].map(([, inside]) => Object.fromEntries([...inside.matchAll(/<(\w+)>(.*?)<\/\1>/g)].map(([, tag, text]) => [tag, text])));

// The part of XPath that such a book needs: //person[CONDITION]/TAG
function find(path, variables = {}) {
  const [, condition, wanted] = /^\/\/person\[(.*)\]\/(\w+)$/s.exec(path) ?? [];
  const tokens = condition?.match(/'[^']*'|"[^"]*"|\$?[\w.-]+|[=()]|\S/g);
  if (!tokens) throw new Error("That is no path.");
  const value = (person) => {
    const token = tokens.shift() ?? "";
    if (token === "(") {
      const inner = either(person);
      if (tokens.shift() !== ")") throw new Error("A bracket is not closed.");
      return inner;
    }
    if (/^['"]./.test(token)) return token.slice(1, -1);
    if (token.startsWith("$")) return variables[token.slice(1)];
    if (/^\d+$/.test(token)) return token;
    if (/^\w+$/.test(token)) return person[token] ?? "";
    throw new Error("That is no path.");
  };
  const equal = (person) => {
    const left = value(person);
    if (tokens[0] !== "=") return Boolean(left);
    tokens.shift();
    return left === value(person);
  };
  const joined = (word, part, all) => (person) => {
    const parts = [part(person)];
    while (tokens[0] === word) {
      tokens.shift();
      parts.push(part(person));
    }
    return all ? parts.every(Boolean) : parts.some(Boolean);
  };
  const either = joined("or", joined("and", equal, true), false);
  const whole = [...tokens];
  return people.filter((person) => {
    tokens.splice(0, Infinity, ...whole);
    const fits = either(person);
    if (tokens.length > 0) throw new Error("That is no path.");
    return fits;
  }).map((person) => person[wanted]);
}

tool("phone_of", "Tell the telephone number of somebody in the office.", { name: "First name, in lower case" }, async ({ name }) => {
  const found = find(`//person[name='${name}']/phone`);
  return found.join("\n") || "Nobody has that name.";
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
        serverInfo: { name: "office-phones-mcp", version: "1.0.4" },
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
