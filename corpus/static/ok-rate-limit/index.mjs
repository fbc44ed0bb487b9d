import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "search", version: "1.0.3" });

let requests = 0;
let since = Date.now();
function allow() {
  const now = Date.now();
  if (now - since > 1000) {
    requests = 0;
    since = now;
  }
  requests++;
  if (requests > 10) {
    throw new Error("Too many requests.");
  }
}
const cache = new Map();
server.tool("search", "Search the web.", { query: z.string() }, async ({ query }) => {
  allow();
  const kept = cache.get(query);
  if (kept && kept.until > Date.now()) return kept.value;
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await fetch("https://search.example/?q=" + encodeURIComponent(query));
    if (answer.ok) {
      const value = { content: [{ type: "text", text: await answer.text() }] };
      cache.set(query, { value, until: Date.now() + 60_000 });
      return value;
    }
    await new Promise((done) => setTimeout(done, 2 ** attempt * 1000 + Math.random() * 100));
  }
});

await server.connect(new StdioServerTransport());
