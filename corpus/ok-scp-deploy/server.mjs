#!/usr/bin/env node
// Copies files of one folder to one host, with scp.

import { execFile } from "node:child_process";
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";

const folder = realpathSync(process.argv[2] ?? ".");
const target = process.env.DEPLOY_TARGET;
const serverInfo = { name: "scp-deploy-mcp", version: "0.5.0" };

const toolList = [
  { name: "list_files", description: "List the files that can be deployed.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  {
    name: "deploy_file",
    description: `Upload a file of the folder to ${target ?? "the configured host"} with scp. A file of the same name is replaced there.`,
    inputSchema: { type: "object", properties: { file: { type: "string", description: "File to upload" } }, required: ["file"] },
    annotations: { readOnlyHint: false, openWorldHint: true, destructiveHint: true },
  },
];

function deploy(file) {
  if (!target) throw new Error("DEPLOY_TARGET is not set, e.g. deploy@files.stonefield.example.");
  const name = basename(String(file));
  const at = join(folder, name);
  if (!lstatSync(at, { throwIfNoEntry: false })?.isFile()) throw new Error("There is no such file in the folder.");
  const options = ["-q", "-B", "-o", "ConnectTimeout=8", "-o", "StrictHostKeyChecking=yes"];
  return new Promise((resolve) => {
    execFile("scp", [...options, "--", at, `${target}:incoming/`], { timeout: 30_000 }, (error, _, words) => {
      resolve(error ? `scp says: ${words.trim() || error.message}` : `${name} was copied to ${target}.`);
    });
  });
}

async function callTool(name, given) {
  if (name === "list_files") return readdirSync(folder, { withFileTypes: true }).filter((e) => e.isFile()).map((e) => e.name).join("\n");
  if (name === "deploy_file") return deploy(given.file);
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
