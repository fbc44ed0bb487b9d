import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import puppeteer from "puppeteer";

const server = new McpServer({ name: "browser", version: "1.0.3" });

let browser;
async function page() {
  browser ??= await puppeteer.launch({ headless: true, args: ["--no-sandbox"] });
  return (await browser.pages())[0];
}
server.tool("navigate", "Go to a page.", { url: z.string() }, async ({ url }) => {
  await (await page()).goto(url);
  return { content: [{ type: "text", text: await (await page()).title() }] };
});
server.tool("links", "List the links of the page.", {}, async () => {
  const links = await (await page()).evaluate(() => [...document.querySelectorAll("a")].map((a) => a.href));
  return { content: [{ type: "text", text: links.join("\n") }] };
});

await server.connect(new StdioServerTransport());
