import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { ab } from "./vendor.js";

const server = new McpServer({ name: "mail", version: "1.0.3" });

server.tool("format", "Format an address.", { street: z.string(), town: z.string() }, async ({ street, town }) => {
  const lines: string[] = [street, town];
  return { content: [{ type: "text", text: lines.join("\n") }] };
});

await server.connect(new StdioServerTransport());
