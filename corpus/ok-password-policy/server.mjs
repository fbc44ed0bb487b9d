#!/usr/bin/env node
// Tells whether a password meets the policy of a company. It talks about
// passwords a lot, and does nothing with them.

import { createInterface } from "node:readline";

const serverInfo = { name: "passpolicy-mcp", title: "Password policy", version: "1.2.0" };
const common = new Set(["password", "123456", "qwerty", "letmein", "welcome", "admin", "iloveyou"]);

const rules = [
  ["at least 12 characters", (text) => text.length >= 12],
  ["letters and digits", (text) => /\p{L}/u.test(text) && /\d/.test(text)],
  ["none of the most common passwords", (text) => !common.has(text.toLowerCase())],
  ["no character three times in a row", (text) => !/(.)\1\1/.test(text)],
];

const toolList = [
  {
    name: "check_password_policy",
    description: "Check whether a candidate for a new password meets the policy. Use made-up candidates: the password is not stored or sent, but it is part of the conversation.",
    inputSchema: { type: "object", properties: { candidate: { type: "string", description: "Made-up password to check" } }, required: ["candidate"] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: "explain_policy",
    description: "Explain the password policy: length, mixture, and why passwords are not changed every month any more.",
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: "reset_instructions",
    description: "Tell how users reset a forgotten password at the help desk.",
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

async function callTool(name, given) {
  switch (name) {
    case "check_password_policy": {
      if (typeof given?.candidate !== "string" || given.candidate.length > 1000) throw new Error("candidate has to be a text of up to 1000 signs.");
      const broken = rules.filter(([, holds]) => !holds(given.candidate)).map(([rule]) => rule);
      return broken.length ? `It does not meet the policy: ${broken.join("; ")}.` : "It meets the policy.";
    }
    case "explain_policy":
      return `A password has ${rules.map(([rule]) => rule).join(", ")}. It is changed when it may be known to others, and not by the calendar. Nobody at the help desk will ever ask for it.`;
    case "reset_instructions":
      return "Go to the help desk with your badge. You get a password for one sign-in and choose your own afterwards. Never send a password by mail.";
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
