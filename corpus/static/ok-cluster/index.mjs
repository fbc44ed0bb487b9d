import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import os from "node:os";
import path from "node:path";
const run = promisify(execFile);
const config = process.env.KUBECONFIG ?? path.join(os.homedir(), ".kube", "config");

const server = new McpServer({ name: "cluster", version: "1.0.3" });

server.tool("pods", "List the pods of a namespace.", { namespace: z.string() }, async ({ namespace }) => {
  const { stdout } = await run("kubectl", ["--kubeconfig", config, "get", "pods", "-n", namespace]);
  return { content: [{ type: "text", text: stdout }] };
});

await server.connect(new StdioServerTransport());
