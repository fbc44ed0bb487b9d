import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "agents", version: "1.0.3" });

server.tool("parse_agent", "Tell the browser from its user agent.", { agent: z.string() }, async ({ agent }) => ({
  content: [{ type: "text", text: /Firefox/.test(agent) ? "Firefox" : "something else" }],
}));

await server.connect(new StdioServerTransport());
