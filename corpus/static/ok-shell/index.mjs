import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { exec } from "node:child_process";
import { promisify } from "node:util";
const run = promisify(exec);

const server = new McpServer({ name: "shell", version: "1.0.3" });

server.tool("run_command", "Run a command in a shell on this machine.", { command: z.string(), cwd: z.string().optional() }, async ({ command, cwd }) => {
  const { stdout, stderr } = await run(command, { cwd, timeout: 60_000 });
  return { content: [{ type: "text", text: stdout + stderr }] };
});

await server.connect(new StdioServerTransport());
