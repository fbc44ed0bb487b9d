import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "letters", version: "1.0.3" });

const templates = { greeting: "Dear <%= name %>,", closing: "Yours, <%= name %>" };
function compile(text) {
  const body = "return `" + text.replace(/<%=\s*(\w+)\s*%>/g, "${data.$1}") + "`";
  return new Function("data", body);
}
const ready = Object.fromEntries(Object.entries(templates).map(([name, text]) => [name, compile(text)]));
const root = Function("return this")();
server.tool("letter", "Write a letter.", { name: z.string() }, async ({ name }) => ({ content: [{ type: "text", text: ready.greeting({ name }) + typeof root }] }));

await server.connect(new StdioServerTransport());
