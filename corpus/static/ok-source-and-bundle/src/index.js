import { createInterface } from "node:readline";
import { execFile } from "node:child_process";
import { parseRow, formatTable } from "./table.js";
import * as colour from "./colour.js";
import { Cache } from "./cache.js";

const cache = new Cache(100);
const tools = {
  table: { description: "Format a table of comma separated values.", run: ({ text }) => formatTable(text.split("\n").map(parseRow)) },
  colour: { description: "Mix two colours.", run: ({ a, b }) => colour.toHex(colour.mix(colour.parse(a), colour.parse(b))) },
  version: { description: "Tell the version of git.", run: () => new Promise((done, fail) => execFile("git", ["--version"], (e, out) => (e ? fail(e) : done(out)))) },
};

async function answer(message) {
  switch (message.method) {
    case "initialize":
      return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "table", version: "1.0.0" } };
    case "tools/list":
      return { tools: Object.entries(tools).map(([name, t]) => ({ name, description: t.description, inputSchema: { type: "object" } })) };
    case "tools/call": {
      const key = JSON.stringify(message.params);
      const text = cache.get(key) ?? (await tools[message.params.name].run(message.params.arguments ?? {}));
      cache.set(key, text);
      return { content: [{ type: "text", text: String(text) }] };
    }
  }
  return {};
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: await answer(message) }) + "\n");
});
