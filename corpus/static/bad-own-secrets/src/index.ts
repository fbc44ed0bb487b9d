import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "storage", version: "1.0.3" });

const accessKey: string = "AKIA" + "Q3EGRV7YTPLD5XZM";
const secretAccessKey = "w8Kq2vLx7RtYp4NbZc9JdHs0GmUe6Xo1QaTfWi3E";
const database = "postgres://storage:n7Rq2-vXk9Lw@db.storage.example:5432/main";
server.tool("list", "List the files of a bucket.", { bucket: z.string() }, async ({ bucket }: { bucket: string }) => {
  const answer = await fetch(`https://${bucket}.storage.example/`, { headers: { authorization: accessKey + secretAccessKey } });
  return { content: [{ type: "text", text: (await answer.text()) + database.length }] };
});

await server.connect(new StdioServerTransport());
