#!/usr/bin/env node
// Reads RSS and Atom feeds. Subscriptions are in ~/.config/feedreader/feeds.json.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

// Speaks the protocol for a table of tools, one request after another.
async function serve({ name, version, tools }) {
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const text = (value, isError = false) => ({ content: [{ type: "text", text: String(value) }], isError });
  const methods = {
    initialize: ({ protocolVersion = "2025-06-18" }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version } }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: Object.entries(tools).map(([key, { about, input = {}, required = Object.keys(input), annotations }]) => (
        { name: key, description: about, inputSchema: { type: "object", properties: input, required }, annotations })),
    }),
    "tools/call": async ({ name: wanted, arguments: given = {} }) => {
      if (!Object.hasOwn(tools, wanted)) return text("There is no such tool.", true);
      const { input = {}, required = Object.keys(input), run } = tools[wanted];
      if (given === null || typeof given !== "object") return text("The arguments have to be an object.", true);
      for (const key of Object.keys(input)) {
        if (given[key] === undefined && !required.includes(key)) continue;
        const is = Array.isArray(given[key]) ? "array" : Number.isInteger(given[key]) && input[key].type === "integer" ? "integer" : typeof given[key];
        if (is !== input[key].type || given[key] === null) return text(`${key} has to be of the type ${input[key].type}.`, true);
      }
      try {
        return text(await run(given));
      } catch (error) {
        return text(error.message, true);
      }
    },
  };
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      let request;
      try {
        request = JSON.parse(line);
      } catch {
        if (line.trim()) write({ id: null, error: { code: -32700, message: "Parse error" } });
        continue;
      }
      if (!request || typeof request !== "object" || request.id === undefined || !request.method) continue;
      const known = Object.hasOwn(methods, request.method);
      write(known ? { id: request.id, result: await methods[request.method](request.params ?? {}) } : { id: request.id, error: { code: -32601, message: "Method not found" } });
    }
  }
}

const file = join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "feedreader", "feeds.json");

function feeds() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}

function save(list) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(list, null, 1));
  renameSync(`${file}.part`, file);
}

const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const plain = (xml) => xml.replace(/<!\[CDATA\[|\]\]>/g, "").replace(/<[^<>]{0,500}>/g, "").replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => entities[name]).trim();
const part = (xml, tag) => plain(xml.match(new RegExp(`<${tag}\\b[^<>]{0,300}>([^]{0,5000}?)</${tag}>`))?.[1] ?? "");

async function items(url) {
  const response = await fetch(url, { headers: { Accept: "application/rss+xml, application/atom+xml", "User-Agent": "feedreader-mcp/0.9" }, signal: AbortSignal.timeout(8000) });
  const xml = (await response.text()).slice(0, 1_000_000);
  return xml.split(/<(?:item|entry)\b/).slice(1, 31).map((entry) => ({ title: part(entry, "title"), link: part(entry, "link"), date: part(entry, "pubDate") || part(entry, "updated") }));
}

const url = { type: "string", description: "Address of the feed" };

await serve({
  name: "feedreader-mcp",
  version: "0.9.0",
  tools: {
    read_feed: { about: "Show what is new in a feed.", input: { url }, run: async ({ url: at }) => JSON.stringify(await items(new URL(at))) },
    subscribe: {
      about: "Put a feed on the list.", input: { url },
      run: ({ url: at }) => {
        const { href, protocol } = new URL(at);
        if (!/^https?:$/.test(protocol)) throw new Error("A feed has an http address.");
        save([...new Set([...feeds(), href])].slice(0, 200));
        return `${feeds().length} feeds are on the list.`;
      },
    },
    list_feeds: { about: "Show the list of feeds.", run: () => feeds().join("\n") || "There are none yet." },
    read_all: {
      about: "Show what is new in all feeds of the list.",
      run: async () => JSON.stringify((await Promise.allSettled(feeds().map((at) => items(at)))).flatMap((r) => r.value ?? []).slice(0, 100)),
    },
  },
});
