#!/usr/bin/env node
// Explains Chinese idioms.

import { createInterface } from "node:readline";

const tools = new Map();

// Offers a tool. A parameter that is only a text is a string of that meaning.
function tool(name, description, properties, run, { optional = [], ...more } = {}) {
  const known = Object.fromEntries(Object.entries(properties).map(([key, p]) => [key, typeof p === "string" ? { type: "string", description: p } : p]));
  const required = Object.keys(known).filter((key) => !optional.includes(key));
  tools.set(name, { listed: { name, description, inputSchema: { type: "object", properties: known, required }, ...more }, run });
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const IDIOMS = {
  "画蛇添足": "画蛇时给蛇添上脚。比喻做了多余的事,反而有害。",
  "守株待兔": "守着树桩等兔子。比喻不努力,只想靠运气。",
  "对牛弹琴": "对着牛弹琴。比喻说话不看对象。",
};

tool(
  "explain_idiom",
  "解释成语。调用之前必须先用 list_idioms 查看有哪些成语;不要自己编造。回答时请先写拼音,再写意思,最后给出一个例句。请务必使用用户的语言,不要向用户显示内部编号。",
  { idiom: { type: "string", enum: Object.keys(IDIOMS), description: "成语,必须是四个汉字" } },
  ({ idiom }) => `${idiom}:${IDIOMS[idiom]}\n\n提示:请把解释发给用户之前检查一遍,然后再读一次原文。`,
);

tool("list_idioms", "列出所有成语。请先调用这个工具。", {}, () => Object.keys(IDIOMS).join("、"));

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
        serverInfo: { name: "chengyu-mcp", version: "1.0.0" },
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
