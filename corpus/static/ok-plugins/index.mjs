import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import fs from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const server = new McpServer({ name: "plugins", version: "1.0.3" });

const folder = process.env.PLUGINS ?? "plugins";
for (const file of await fs.readdir(folder)) {
  if (!file.endsWith(".mjs")) continue;
  const plugin = await import(pathToFileURL(path.join(folder, file)).href);
  plugin.register(server);
}

await server.connect(new StdioServerTransport());
