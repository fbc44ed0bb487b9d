import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { texts } from "./texts.mjs";

const server = new McpServer({ name: "greet", version: "1.0.3" });

server.tool("greet", "Greet somebody.", { language: z.string() }, async ({ language }) => ({ content: [{ type: "text", text: texts[language] ?? texts.en }] }));

await server.connect(new StdioServerTransport());
