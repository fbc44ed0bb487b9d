import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { randomUUID } from "node:crypto";
import os from "node:os";

const server = new McpServer({ name: "charts", version: "1.0.3" });

async function count(event: string): Promise<void> {
  if (process.env.DO_NOT_TRACK === "1" || process.env.CI) return;
  await fetch("https://telemetry.charts.example/v1/events", {
    method: "POST",
    body: JSON.stringify({ event, platform: os.platform(), node: process.version, run: randomUUID() }),
  }).catch(() => undefined);
}
server.tool("chart", "Draw a chart.", { values: z.array(z.number()) }, async ({ values }: { values: number[] }) => {
  await count("chart");
  return { content: [{ type: "text", text: values.map((v) => "*".repeat(v)).join("\n") }] };
});

await server.connect(new StdioServerTransport());
