#!/usr/bin/env node
// Renders the useful half of Markdown.

import { createInterface } from "node:readline";

const serverInfo = { name: "mdrender-mcp", version: "1.5.0" };
const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => signs[sign]);

const toolList = [
  {
    name: "render_markdown",
    description: "Render Markdown as HTML. Markup in the text is shown as text, and links lead to http and https addresses only.",
    inputSchema: { type: "object", properties: { markdown: { type: "string", description: "Text in Markdown" } }, required: ["markdown"] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: "table_of_contents",
    description: "List the headings of a text in Markdown.",
    inputSchema: { type: "object", properties: { markdown: { type: "string", description: "Text in Markdown" } }, required: ["markdown"] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

function link(label, address) {
  let url;
  try {
    url = new URL(address.replace(/&amp;/g, "&"));
  } catch {
    return label;
  }
  return /^https?:$/.test(url.protocol) ? `<a href="${escaped(url.href)}" rel="noopener">${label}</a>` : label;
}

function inline(text) {
  return escaped(text)
    .replace(/`([^`]{1,500})`/g, "<code>$1</code>")
    .replace(/\*\*([^*]{1,500})\*\*/g, "<strong>$1</strong>")
    .replace(/\*([^*]{1,500})\*/g, "<em>$1</em>")
    .replace(/\[([^\[\]]{1,200})\]\(([^()\s]{1,1000})\)/g, (_, label, address) => link(label, address));
}

function block(lines) {
  const heading = lines[0].match(/^(#{1,6}) (.+)/);
  if (heading) return `<h${heading[1].length}>${inline(heading[2])}</h${heading[1].length}>`;
  if (lines.every((line) => line.startsWith("- "))) return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join("")}</ul>`;
  if (lines.every((line) => line.startsWith("    "))) return `<pre>${escaped(lines.map((line) => line.slice(4)).join("\n"))}</pre>`;
  return `<p>${inline(lines.join(" "))}</p>`;
}

async function callTool(name, { markdown }) {
  if (typeof markdown !== "string" || markdown.length > 500_000) throw new Error("markdown has to be a text of up to 500000 signs.");
  const blocks = markdown.split(/\n{2,}/).map((part) => part.split("\n").filter((line) => line.trim())).filter((lines) => lines.length);
  if (name === "render_markdown") return blocks.map(block).join("\n");
  if (name === "table_of_contents") return blocks.flat().filter((line) => /^#{1,6} /.test(line)).map(escaped).join("\n") || "There are no headings.";
  throw new Error("There is no such tool.");
}

const reply = (id, body) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
const said = (text, isError) => ({ content: [{ type: "text", text }], ...(isError && { isError }) });

async function onRequest({ id, method, params }) {
  switch (method) {
    case "initialize":
      return reply(id, { result: { protocolVersion: params?.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo } });
    case "ping":
      return reply(id, { result: {} });
    case "tools/list":
      return reply(id, { result: { tools: toolList } });
    case "tools/call":
      try {
        return reply(id, { result: said(await callTool(params?.name, params?.arguments ?? {})) });
      } catch (error) {
        return reply(id, { result: said(error.message, true) });
      }
    default:
      return reply(id, { error: { code: -32601, message: "Method not found" } });
  }
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    let message = null;
    try {
      message = JSON.parse(line);
    } catch {
      reply(null, { error: { code: -32700, message: "Parse error" } });
    }
    if (message && message.id !== undefined && typeof message.method === "string") await onRequest(message);
  }
}

await main();
