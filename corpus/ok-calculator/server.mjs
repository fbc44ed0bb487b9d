#!/usr/bin/env node
// A calculator. It reads the sum itself and evaluates nothing else.

import { createInterface } from "node:readline";

const serverInfo = { name: "sumwise-mcp", version: "3.0.0" };
const functions = { sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, log: Math.log10, ln: Math.log, abs: Math.abs, round: Math.round };
const constants = { pi: Math.PI, e: Math.E };

class Sum {
  constructor(text) {
    this.tokens = text.match(/\d+(?:\.\d+)?|[a-z]+|[-+*/^()%]|\S/g) ?? [];
    this.at = 0;
    this.depth = 0;
  }

  take(...wanted) {
    return wanted.includes(this.tokens[this.at]) ? this.tokens[this.at++] : null;
  }

  value() {
    const result = this.terms();
    if (this.at < this.tokens.length) throw new Error(`${this.tokens[this.at].slice(0, 20)} is not understood.`);
    return result;
  }

  terms() {
    let left = this.factors();
    for (let sign; (sign = this.take("+", "-"));) left = sign === "+" ? left + this.factors() : left - this.factors();
    return left;
  }

  factors() {
    let left = this.power();
    for (let sign; (sign = this.take("*", "/", "%"));) {
      const right = this.power();
      left = sign === "*" ? left * right : sign === "/" ? left / right : left % right;
    }
    return left;
  }

  power() {
    const base = this.atom();
    return this.take("^") ? base ** this.power() : base;
  }

  atom() {
    if (++this.depth > 200) throw new Error("The sum is nested too deeply.");
    try {
      if (this.take("-")) return -this.atom();
      if (this.take("(")) {
        const inner = this.terms();
        if (!this.take(")")) throw new Error("A bracket is not closed.");
        return inner;
      }
      const token = this.tokens[this.at++];
      if (/^\d/.test(token ?? "")) return Number(token);
      if (Object.hasOwn(constants, token ?? "")) return constants[token];
      if (Object.hasOwn(functions, token ?? "") && this.tokens[this.at] === "(") return functions[token](this.atom());
      throw new Error(`${token === undefined ? "The end" : token.slice(0, 20)} is not understood.`);
    } finally {
      this.depth--;
    }
  }
}

const expression = { type: "string", description: "A sum, e.g. 2 * (3 + 4)", examples: ["2 * (3 + 4)"] };
const toolList = [
  {
    name: "calculate",
    description: `Work out a sum. Known are + - * / % ^, brackets, ${Object.keys(functions).join(", ")}, pi and e.`,
    inputSchema: { type: "object", properties: { expression }, required: ["expression"] },
    annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  },
  {
    name: "statistics",
    description: "Tell mean, median and spread of numbers.",
    inputSchema: { type: "object", properties: { numbers: { type: "array", items: { type: "number" }, minItems: 1 } }, required: ["numbers"] },
    annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  },
];

async function callTool(name, given) {
  if (name === "calculate") {
    if (typeof given?.expression !== "string" || given.expression.length > 10_000) throw new Error("expression has to be a sum of up to 10000 signs.");
    return String(new Sum(given.expression.toLowerCase()).value());
  }
  if (name === "statistics") {
    const { numbers } = given ?? {};
    if (!Array.isArray(numbers) || !numbers.length || !numbers.every(Number.isFinite)) throw new Error("numbers has to be a list of numbers.");
    const sorted = [...numbers].sort((a, b) => a - b);
    const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length;
    const spread = Math.sqrt(numbers.reduce((sum, n) => sum + (n - mean) ** 2, 0) / numbers.length);
    return JSON.stringify({ mean, median: sorted[sorted.length >> 1], spread });
  }
  throw new Error("There is no such tool.");
}

const reply = (id, body) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
const said = (text, isError) => ({ content: [{ type: "text", text }], ...(isError && { isError }) });

async function onRequest({ id, method, params }) {
  switch (method) {
    case "initialize":
      return reply(id, { result: { protocolVersion: params?.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo } });
    case "ping":
      return reply(id, { result: {} });
    case "tools/list":
      return reply(id, { result: { tools: toolList } });
    case "tools/call":
      try {
        return reply(id, { result: said(await callTool(params?.name, params?.arguments ?? {})) });
      } catch (error) {
        return reply(id, { result: said(error.message, true) });
      }
    default:
      return reply(id, { error: { code: -32601, message: "Method not found" } });
  }
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    let message = null;
    try {
      message = JSON.parse(line);
    } catch {
      reply(null, { error: { code: -32700, message: "Parse error" } });
    }
    if (message && message.id !== undefined && typeof message.method === "string") await onRequest(message);
  }
}

await main();
