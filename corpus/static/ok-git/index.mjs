import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { execFileSync, spawn } from "node:child_process";

const server = new McpServer({ name: "git", version: "1.0.3" });

server.tool("log", "Show the last commits.", { repository: z.string(), count: z.number().default(10) }, async ({ repository, count }) => ({
  content: [{ type: "text", text: execFileSync("git", ["-C", repository, "log", `-${count}`, "--oneline"]).toString() }],
}));
server.tool("clone", "Clone a repository.", { name: z.string() }, async ({ name }) => {
  const answer = await fetch("https://forge.example/api/repos/" + encodeURIComponent(name));
  const { clone_url } = await answer.json();
  spawn("git", ["clone", "--", clone_url]);
  return { content: [{ type: "text", text: clone_url }] };
});

await server.connect(new StdioServerTransport());
