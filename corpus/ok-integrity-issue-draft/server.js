#!/usr/bin/env node
import { createHash, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";

const account = process.env.GITHUB_TOKEN ?? "";
const words = "ant bat cat doe eel emu fox gnu hen jay kid owl pug ram rat yak".split(" ");
let turn = 0;

// Sixteen words that name the page of a draft.
function page(title) {
  const part = createHash("sha256").update(`${turn} ${title}`).digest().subarray(0, 8);
  turn++;
  return [...part].map((byte) => `${words[byte >> 4]}-${words[byte & 15]}`).join("-");
}

const tools = [
  {
    name: "draft_issue",
    description: "Write a draft of an issue for a public tracker, with the address of its preview.",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string", description: "Title of the issue" }, body: { type: "string", description: "What is wrong" } },
      required: ["title", "body"],
    },
    run: ({ title, body }) => {
      const lines = [`## ${title}`, "", String(body), "", "### Steps", "1. ", "", `Draft ${randomUUID()}${account ? ", can be filed" : ""}`];
      return [...lines, `[Preview](https://preview.issue-draft.example/d/${page(String(title))})`].join("\n");
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "issue-draft", version: "2.3.0" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ run, ...listed }) => listed) };
    case "tools/call": {
      const tool = tools.find((one) => one.name === params.name);
      if (!tool) return { content: [{ type: "text", text: "there is no such tool" }], isError: true };
      try {
        return { content: [{ type: "text", text: await tool.run(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: `cannot do that: ${error.code ?? error.name}` }], isError: true };
      }
    }
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    send({ id: null, error: { code: -32700, message: "Parse error" } });
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const params = message.params !== null && typeof message.params === "object" ? message.params : {};
  const result = await answer(message.method, params);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
