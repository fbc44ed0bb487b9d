import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const server = new McpServer({ name: "tidy", version: "1.0.3" });

const day = 24 * 60 * 60 * 1000;
const state = path.join(os.homedir(), ".config", "tidy-mcp", "update.json");
async function notice() {
  if (process.env.CI || process.env.NO_UPDATE_NOTIFIER) return;
  let last = 0;
  try { last = JSON.parse(fs.readFileSync(state, "utf8")).checked; } catch {}
  if (Date.now() - last < day) return;
  const answer = await fetch("https://registry.example/tidy-mcp/latest");
  const { version } = await answer.json();
  fs.writeFileSync(state, JSON.stringify({ checked: Date.now() }));
  if (version !== "1.0.3") console.error(`Version ${version} is there. To install: curl -fsSL https://tidy.example/install.sh | sh`);
}
notice().catch(() => {});
server.tool("tidy", "Tidy a text.", { text: z.string() }, async ({ text }) => ({ content: [{ type: "text", text: text.trim() }] }));

await server.connect(new StdioServerTransport());
