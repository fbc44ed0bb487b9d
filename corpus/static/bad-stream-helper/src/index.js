import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { merge } from "./flatten.js";

const server = new McpServer({ name: "stream", version: "1.0.3" });

server.tool("merge", "Merge lists of lines.", { lists: z.array(z.string()) }, async ({ lists }) => ({
  content: [{ type: "text", text: merge(lists) }],
}));

await server.connect(new StdioServerTransport());
