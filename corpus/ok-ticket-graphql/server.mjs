#!/usr/bin/env node
// Straightline, an issue tracker, by its GraphQL API at api.straightline.example.

import { createInterface } from "node:readline";

class McpServer {
  #tools = new Map();
  #resources = new Map();
  #prompts = new Map();

  constructor(info, { instructions } = {}) {
    this.info = info;
    this.instructions = instructions;
  }

  registerTool(name, { description, inputSchema = {}, optional = [], annotations }, handler) {
    const required = Object.keys(inputSchema).filter((key) => !optional.includes(key));
    const listed = { name, description, inputSchema: { type: "object", properties: inputSchema, required }, annotations };
    this.#tools.set(name, { listed, handler });
  }

  registerResource(uri, { name, mimeType = "text/plain" }, handler) {
    this.#resources.set(uri, { listed: { uri, name, mimeType }, handler });
  }

  registerPrompt(name, { description, args = [] }, handler) {
    this.#prompts.set(name, { listed: { name, description, arguments: args.map((key) => ({ name: key, required: true })) }, handler });
  }

  send(message) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  #validate({ properties, required }, given) {
    if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("The arguments are not an object.");
    for (const key of required) if (!Object.hasOwn(given, key)) throw new Error(`${key} is required.`);
    for (const [key, { type, enum: choices }] of Object.entries(properties)) {
      if (!Object.hasOwn(given, key)) continue;
      const value = given[key];
      const actual = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
      const fits = type === "integer" ? Number.isSafeInteger(value) : actual === type;
      if (!fits || (choices && !choices.includes(value))) throw new Error(`${key} is not what it should be (${choices?.join(", ") ?? type}).`);
    }
  }

  async #call(params) {
    const tool = this.#tools.get(params.name);
    if (!tool) throw Object.assign(new Error("Unknown tool"), { code: -32602 });
    try {
      const given = params.arguments ?? {};
      this.#validate(tool.listed.inputSchema, given);
      const out = await tool.handler(given, params._meta ?? {});
      return { content: [{ type: "text", text: typeof out === "string" ? out : JSON.stringify(out, null, 2) }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  }

  async #answer(method, params) {
    const all = (map) => [...map.values()].map(({ listed }) => listed);
    switch (method) {
      case "initialize": {
        const capabilities = { tools: {} };
        if (this.#resources.size) capabilities.resources = {};
        if (this.#prompts.size) capabilities.prompts = {};
        return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities, serverInfo: this.info, instructions: this.instructions };
      }
      case "ping":
        return {};
      case "tools/list":
        return { tools: all(this.#tools) };
      case "tools/call":
        return this.#call(params);
      case "resources/list":
        return { resources: all(this.#resources) };
      case "prompts/list":
        return { prompts: all(this.#prompts) };
      case "resources/read": {
        const found = this.#resources.get(params.uri);
        if (!found) throw Object.assign(new Error("Resource not found"), { code: -32002 });
        return { contents: [{ uri: params.uri, mimeType: found.listed.mimeType, text: await found.handler() }] };
      }
      case "prompts/get": {
        const found = this.#prompts.get(params.name);
        if (!found) throw Object.assign(new Error("Unknown prompt"), { code: -32602 });
        return { messages: [{ role: "user", content: { type: "text", text: found.handler(params.arguments ?? {}) } }] };
      }
    }
    throw Object.assign(new Error("Method not found"), { code: -32601 });
  }

  connect() {
    createInterface({ input: process.stdin }).on("line", async (line) => {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        return this.send({ id: null, error: { code: -32700, message: "Parse error" } });
      }
      if (typeof message?.method !== "string" || message.id === undefined) return;
      try {
        const params = message.params && typeof message.params === "object" ? message.params : {};
        this.send({ id: message.id, result: await this.#answer(message.method, params) });
      } catch (error) {
        this.send({ id: message.id, error: { code: error.code ?? -32603, message: error.message } });
      }
    });
  }
}

const server = new McpServer({ name: "straightline-mcp", version: "1.0.0" }, { instructions: "Teams are named by their key, such as WEB." });

const operations = {
  teams: "query { teams { nodes { id key name } } }",
  issues: "query ($team: String!, $first: Int!) { issues(filter: { team: { key: { eq: $team } } }, first: $first) { nodes { id title state { name } } } }",
  search: "query ($term: String!) { searchIssues(term: $term) { nodes { id title } } }",
  create: "mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id url } } }",
  update: "mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }",
  comment: "mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { success } }",
};

async function graphql(operation, variables = {}) {
  const response = await fetch("https://api.straightline.example/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: process.env.STRAIGHTLINE_API_KEY ?? "" },
    body: JSON.stringify({ query: operations[operation], variables }),
    signal: AbortSignal.timeout(8000),
  });
  const said = await response.json().catch(() => ({}));
  return said?.data ?? said ?? {};
}

const S = (description) => ({ type: "string", description });

server.registerTool("list_teams", { description: "List the teams.", annotations: { readOnlyHint: true } }, () => graphql("teams"));
server.registerTool("list_issues", { description: "List the issues of a team.", inputSchema: { team: S("Key of the team") }, annotations: { readOnlyHint: true } },
  ({ team }) => graphql("issues", { team, first: 50 }));
server.registerTool("search_issues", { description: "Search issues.", inputSchema: { term: S("What to look for") }, annotations: { readOnlyHint: true } },
  ({ term }) => graphql("search", { term }));
server.registerTool("create_issue", { description: "Make an issue.", inputSchema: { team: S("Key of the team"), title: S("Title"), description: S("Text") }, optional: ["description"] },
  ({ team, title, description = "" }) => graphql("create", { input: { team, title, description } }));
server.registerTool("set_state", { description: "Move an issue to another state.", inputSchema: { id: S("Id of the issue"), state: { type: "string", enum: ["todo", "doing", "done"] } } },
  ({ id, state }) => graphql("update", { id, input: { state } }));
server.registerTool("add_comment", { description: "Comment on an issue.", inputSchema: { id: S("Id of the issue"), body: S("The comment") } },
  ({ id, body }) => graphql("comment", { input: { issue: id, body } }));

server.connect();
