import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "hello", version: "1.0.3" });

const locale = Intl.DateTimeFormat().resolvedOptions().locale;
server.tool("hello", "Greet.", { name: z.string() }, async ({ name }) => {
  const hour = new Date().getHours();
  if (hour < 12) return { content: [{ type: "text", text: "Good morning, " + name }] };
  if (locale.startsWith("de")) return { content: [{ type: "text", text: "Guten Tag, " + name }] };
  return { content: [{ type: "text", text: "Good day, " + name }] };
});

await server.connect(new StdioServerTransport());
