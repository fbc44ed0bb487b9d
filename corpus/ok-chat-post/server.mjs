#!/usr/bin/env node
// Huddlechat: https://huddlechat.example/api

import { createInterface } from "node:readline";

const serverInfo = { name: "huddlechat-mcp", title: "Huddlechat", version: "0.11.0" };
const token = process.env.HUDDLECHAT_BOT_TOKEN ?? "";

const text = (description) => ({ type: "string", description });
const schema = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });

const toolList = [
  { name: "list_channels", description: "List the channels that the bot is in.", inputSchema: schema({}), annotations: { readOnlyHint: true } },
  { name: "channel_history", description: "Show the last messages of a channel.", inputSchema: schema({ channel: text("Channel") }), annotations: { readOnlyHint: true } },
  {
    name: "post_message", description: "Post a message to a channel. Everybody in the channel sees it.",
    inputSchema: schema({ channel: text("Channel"), message: text("What to say") }), annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  },
  {
    name: "reply_in_thread", description: "Reply to a message.",
    inputSchema: schema({ channel: text("Channel"), thread_id: text("Id of the message"), message: text("What to say") }), annotations: { readOnlyHint: false },
  },
  { name: "add_reaction", description: "React to a message.", inputSchema: schema({ channel: text("Channel"), message_id: text("Id of the message"), emoji: text("Name of the emoji") }) },
];

async function api(method, payload) {
  const response = await fetch(`https://huddlechat.example/api/${method}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(8000),
  });
  if (!response.ok) throw new Error(`Huddlechat answered with ${response.status}.`);
  return (await response.text()).slice(0, 20_000);
}

async function callTool(name, given) {
  const tool = toolList.find((t) => t.name === name);
  if (!tool) throw new Error("There is no such tool.");
  for (const key of tool.inputSchema.required) {
    if (typeof given?.[key] !== "string" || !given[key]) throw new Error(`${key} has to be a text.`);
  }
  switch (name) {
    case "list_channels":
      return api("channels.list", { limit: 100 });
    case "channel_history":
      return api("channels.history", { channel: given.channel, limit: 30 });
    case "post_message":
      return api("chat.post", { channel: given.channel, text: given.message });
    case "reply_in_thread":
      return api("chat.post", { channel: given.channel, thread: given.thread_id, text: given.message });
    case "add_reaction":
      return api("reactions.add", { channel: given.channel, message: given.message_id, name: given.emoji });
  }
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

if (!token) console.error("HUDDLECHAT_BOT_TOKEN is not set; calls will be refused.");
await main();
