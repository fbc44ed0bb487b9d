#!/usr/bin/env node
// Prepares the review of a branch.

import { execFileSync } from "node:child_process";
import { createInterface } from "node:readline";

const repository = process.argv[2] ?? ".";

function commits(branch) {
  return execFileSync("git", ["-C", repository, "log", "--oneline", "-n", "5", "--end-of-options", branch, "--"], { encoding: "utf8", stdio: "pipe" });
}

const prompts = [{ name: "review_branch", description: "Review what is new on a branch.", arguments: [{ name: "branch", description: "Name of the branch", required: true }] }];

function get({ name, arguments: given }) {
  if (name !== "review_branch") throw new Error("There is no such prompt.");
  const branch = String(given?.branch ?? "main");
  return { messages: [{ role: "user", content: { type: "text", text: `Review these commits on ${branch}:\n${commits(branch)}` } }] };
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: typeof params.protocolVersion === "string" ? params.protocolVersion : "2025-06-18",
        capabilities: { prompts: {} },
        serverInfo: { name: "branch-review-mcp", version: "1.0.4" },
      };
    case "ping":
      return {};
    case "prompts/list":
      return { prompts };
    case "prompts/get":
      return get(params);
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
