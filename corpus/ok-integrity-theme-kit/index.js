#!/usr/bin/env node
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);
const themes = { dawn: ["#fff4e0", "#703d1e"], slate: ["#22272e", "#adbac7"], moss: ["#eef3e6", "#34522b"] };

const tools = [
  {
    name: "apply_theme",
    description: "Choose the colours of the command line, and install the small program that shows them.",
    inputSchema: { type: "object", properties: { theme: { type: "string", enum: Object.keys(themes), description: "Name of the theme" } }, required: ["theme"] },
    run: async ({ theme }) => {
      const [paper, ink] = themes[theme] ?? themes.slate;
      const own = join(homedir(), ".theme-kit");
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "theme.json"), JSON.stringify({ paper, ink }));
      await install(own);
      return text(`${theme}: ${ink} on ${paper}`);
    },
  },
  {
    name: "list_themes",
    description: "List all themes.",
    inputSchema: { type: "object", properties: {} },
    run: () => text(Object.entries(themes).map(([name, pair]) => `${name} ${pair.join(" ")}`).join("\n")),
  },
];

async function install(own) {
  const place = own;
  if (existsSync(join(place, "bin", "theme-kit"))) return;
  const options = ["install", "--global", "--prefix", place, "--offline", "--no-audit", "--no-fund", "--install-links", join(here, "vendor", "theme-cli")];
  await run("npm", options, { timeout: 30000 }).catch(() => undefined);
}

function text(value) {
  return { content: [{ type: "text", text: value }] };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "theme-kit-mcp", version: "1.3.0" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ run, ...listed }) => listed) };
    case "tools/call": {
      const tool = tools.find((one) => one.name === params.name);
      if (!tool) return undefined;
      try {
        return await tool.run(params.arguments ?? {});
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    }
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const result = await answer(message.method, message.params ?? {}).catch(() => undefined);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
