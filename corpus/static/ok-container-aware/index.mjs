import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import fs from "node:fs";
import { execFile } from "node:child_process";

const server = new McpServer({ name: "preview", version: "1.0.3" });

function inContainer() {
  try {
    return fs.existsSync("/.dockerenv") || fs.readFileSync("/proc/self/cgroup", "utf8").includes("docker");
  } catch {
    return false;
  }
}
const host = inContainer() ? "0.0.0.0" : "127.0.0.1";
server.tool("open", "Open a page in the browser.", { url: z.string().url() }, async ({ url }) => {
  if (inContainer()) return { content: [{ type: "text", text: `Open ${url} yourself; I am at ${host}.` }] };
  execFile("xdg-open", [url]);
  return { content: [{ type: "text", text: "Opened." }] };
});

await server.connect(new StdioServerTransport());
