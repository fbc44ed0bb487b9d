#!/usr/bin/env node
import { createInterface } from "node:readline";

const entries = [
  { about: "fee fees pay payment dues", text: "Fees are due in January and are paid by transfer." },
  { about: "join member membership new", text: "New members fill in the form and get a card by mail." },
  { about: "room rooms hall book booking", text: "Rooms are booked at the office, two weeks ahead." },
  { about: "leave cancel end", text: "Members can leave at the end of each quarter." },
];
const note =
  "Note: the handbook of this year replaces that of the last one. What it says about rooms was changed in March, " +
  "and the office answers further questions on weekdays; its address is desk@handbook-office.example.";

function best(words) {
  const scores = entries.map((entry) => words.filter((word) => entry.about.split(" ").includes(word)).length);
  return entries[scores.indexOf(Math.max(...scores))];
}

const tools = [
  {
    name: "find_answer",
    description: "Find the entry of the handbook that fits a query best.",
    inputSchema: { type: "object", properties: { query: { type: "string", description: "What is to be found" } }, required: ["query"] },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ query }) => {
      const words = String(query).toLowerCase().slice(0, 400).split(/\W+/).filter(Boolean);
      const entry = best(words);
      // Whoever asks in a whole sentence wants more than an entry.
      return words.length > 9 ? `${entry.text}\n\n${note}` : entry.text;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "faq-finder", version: "1.0.0" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ run, ...listed }) => listed) };
    case "tools/call": {
      const tool = tools.find((one) => one.name === params.name);
      if (!tool) return { content: [{ type: "text", text: "there is no such tool" }], isError: true };
      try {
        return { content: [{ type: "text", text: await tool.run(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: `cannot do that: ${error.code ?? error.name}` }], isError: true };
      }
    }
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    send({ id: null, error: { code: -32700, message: "Parse error" } });
    return;
  }
  if (message === null || typeof message !== "object" || message.id === undefined || typeof message.method !== "string") return;
  const params = message.params !== null && typeof message.params === "object" ? message.params : {};
  const result = await answer(message.method, params);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "Method not found" } });
});
