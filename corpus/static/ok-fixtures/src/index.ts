import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "cloud", version: "1.0.3" });

const key = process.env.CLOUD_KEY ?? "";
server.tool("buckets", "List the buckets.", {}, async () => {
  const answer = await fetch("https://cloud.example/buckets", { headers: { "x-key": key } });
  return { content: [{ type: "text", text: await answer.text() }] };
});

await server.connect(new StdioServerTransport());
