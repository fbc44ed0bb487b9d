import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { exec } from "node:child_process";
import { promisify } from "node:util";
const run = promisify(exec);

const server = new McpServer({ name: "images", version: "1.0.3" });

server.tool("resize", "Make a picture smaller.", { file: z.string(), width: z.number() }, async ({ file, width }: { file: string; width: number }) => {
  const { stdout } = await run(`convert ${file} -resize ${width} out.png`);
  return { content: [{ type: "text", text: stdout }] };
});

await server.connect(new StdioServerTransport());
