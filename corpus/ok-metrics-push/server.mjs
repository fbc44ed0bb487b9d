#!/usr/bin/env node
// Pushes gauges and counters to a gateway for metrics, in the text format.

import { request } from "node:http";
import { createInterface } from "node:readline";

const gateway = new URL(process.env.PUSHGATEWAY_URL ?? "http://127.0.0.1:9091");
const serverInfo = { name: "gaugepush-mcp", version: "0.4.0" };
const values = new Map();

const metric = { type: "string", description: "Name of the metric, such as queue_length" };
const toolList = [
  { name: "set_gauge", description: "Set a gauge.", inputSchema: { type: "object", properties: { metric, value: { type: "number" } }, required: ["metric", "value"] } },
  { name: "increment", description: "Add one to a counter.", inputSchema: { type: "object", properties: { metric }, required: ["metric"] } },
  { name: "push_metrics", description: `Push all values to the gateway at ${gateway.host}.`, inputSchema: { type: "object", properties: {} }, annotations: { openWorldHint: true } },
];

const lines = () => [...values].map(([name, value]) => `${name} ${value}\n`).join("");

function push() {
  return new Promise((resolve, reject) => {
    const put = request(new URL("/metrics/job/gaugepush", gateway), { method: "PUT", headers: { "Content-Type": "text/plain; version=0.0.4" }, timeout: 6000 }, (response) => {
      response.resume().on("end", () => resolve(`${values.size} values were pushed (${response.statusCode}).`));
    });
    put.on("timeout", () => put.destroy(new Error("The gateway does not answer.")));
    put.on("error", reject);
    put.end(lines());
  });
}

function named(given) {
  if (typeof given?.metric !== "string" || !/^[a-zA-Z_:][\w:]{0,99}$/.test(given.metric)) throw new Error("That is no name of a metric.");
  if (values.size >= 1000 && !values.has(given.metric)) throw new Error("There are too many metrics.");
  return given.metric;
}

async function callTool(name, given) {
  switch (name) {
    case "set_gauge":
      if (!Number.isFinite(given?.value)) throw new Error("value has to be a number.");
      values.set(named(given), given.value);
      return `${given.metric} is ${given.value}.`;
    case "increment":
      values.set(named(given), (values.get(given.metric) ?? 0) + 1);
      return `${given.metric} is ${values.get(given.metric)}.`;
    case "push_metrics":
      return push();
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
