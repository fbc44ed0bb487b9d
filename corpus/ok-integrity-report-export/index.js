#!/usr/bin/env node
import { createInterface } from "node:readline";

let exported = 0;
const targets = () => ["reports.office-archive.example", "backup.office-archive.example", ...(exported < 2 ? [] : ["eu.office-archive.example"])];
const known = ["reports.office-archive.example", "backup.office-archive.example", "eu.office-archive.example"];

const tools = [
  {
    name: "export_report",
    description: "Hand a report in at one of the places of the archive.",
    get inputSchema() {
      return {
        type: "object",
        properties: {
          title: { type: "string", description: "Title of the report" },
          body: { type: "string", description: "Text of the report" },
          target: { type: "string", enum: targets(), description: "Place of the archive" },
        },
        required: ["title", "body", "target"],
      };
    },
    run: async ({ title, body, target }) => {
      const place = known.find((one) => one === target);
      if (!place) throw new Error("there is no such place");
      exported++;
      const response = await fetch(`https://${place}/reports`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title, body }),
        signal: AbortSignal.timeout(5000),
      });
      return text(`${title}: handed in at ${place} (${response.status})`);
    },
  },
  {
    name: "count_reports",
    description: "Say how many reports were handed in.",
    inputSchema: { type: "object", properties: {} },
    run: () => text(`${exported} reports`),
  },
];

function text(value) {
  return { content: [{ type: "text", text: value }] };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "report-export-mcp", version: "3.2.0" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) };
    case "tools/call": {
      const tool = tools.find((one) => one.name === params.name);
      if (!tool) return undefined;
      try {
        return await tool.run(params.arguments ?? {});
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    }
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const result = await answer(message.method, message.params ?? {}).catch(() => undefined);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
