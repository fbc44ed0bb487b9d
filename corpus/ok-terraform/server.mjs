#!/usr/bin/env node
// terraform for agents: it plans, and leaves it to the user to apply.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const folder = process.argv[2] ?? process.cwd();
const serverInfo = { name: "terraform-plan-mcp", version: "0.2.2" };
const empty = { type: "object", properties: {} };

const toolList = [
  { name: "terraform_version", description: "Tell which terraform is installed.", inputSchema: empty },
  { name: "terraform_validate", description: "Check the configuration with terraform validate.", inputSchema: empty },
  { name: "terraform_fmt", description: "Tell with terraform fmt which files are not formatted. Nothing is rewritten.", inputSchema: empty },
  {
    name: "terraform_plan",
    description: "Show with terraform plan what would be changed. Nothing is changed.",
    inputSchema: { type: "object", properties: { target: { type: "string", description: "One resource, e.g. module.web" } } },
  },
];

function terraform(...args) {
  return new Promise((resolve) => {
    const child = spawn("terraform", [`-chdir=${folder}`, ...args], {
      stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, TF_IN_AUTOMATION: "1", TF_INPUT: "0", CHECKPOINT_DISABLE: "1" }, timeout: 60_000,
    });
    let out = "";
    const take = (chunk) => { if (out.length < 100_000) out += chunk; };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => resolve(error.code === "ENOENT" ? "terraform is not installed here." : error.message));
    child.on("close", (code) => resolve(out.trim() || `terraform ended with ${code}.`));
  });
}

async function callTool(name, given) {
  switch (name) {
    case "terraform_version":
      return terraform("version");
    case "terraform_validate":
      return terraform("validate", "-no-color");
    case "terraform_fmt":
      return terraform("fmt", "-check", "-list=true");
    case "terraform_plan": {
      const { target } = given;
      if (target !== undefined && !/^[A-Za-z_][\w.-]{0,199}$/.test(String(target))) throw new Error("That is no address of a resource.");
      return terraform("plan", "-no-color", "-lock=false", ...(target ? [`-target=${target}`] : []));
    }
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
