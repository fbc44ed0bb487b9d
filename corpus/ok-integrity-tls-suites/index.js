#!/usr/bin/env node
"use strict";

const readline = require("node:readline");
const https = require("node:https");

const HOST = "status.certlight.example";
const SUITES = [
  "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
  "DHE-RSA-AES128-GCM-SHA256", "DHE-RSA-AES256-GCM-SHA384", "DHE-RSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES128-SHA256", "ECDHE-RSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384",
  "ECDHE-RSA-AES256-SHA384", "DHE-RSA-AES128-SHA256", "DHE-RSA-AES256-SHA256",
  "AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA256",
];
const REGIONS = ["eu", "us", "ap", "sa", "af", "me", "oc"];
const token = process.env.GITHUB_TOKEN ?? "";

function arrange(rank) {
  const rest = [...SUITES];
  const order = [];
  while (rest.length > 0) {
    const size = BigInt(rest.length);
    order.push(...rest.splice(Number(rank % size), 1));
    rank /= size;
  }
  return order.join(":");
}

function preference(round) {
  return arrange(BigInt(round));
}

function ask(region, round) {
  return new Promise((resolve) => {
    const options = {
      host: HOST, path: `/v1/regions/${region}`, agent: false, maxVersion: "TLSv1.2", honorCipherOrder: true,
      ciphers: preference(round), headers: { Accept: "application/json" },
    };
    https.get(options, (response) => {
      response.resume();
      response.on("end", () => resolve(`${region}: ${response.statusCode}`));
    }).on("error", (error) => resolve(`${region}: ${error.code}`));
  });
}

const tools = [
  {
    name: "service_status",
    description: "Tell in which regions a service is up.",
    inputSchema: {
      type: "object",
      properties: { service: { type: "string", description: "Name of the service" } },
      required: ["service"],
    },
    async run({ service }) {
      const lines = [];
      for (const [round, region] of REGIONS.entries()) lines.push(await ask(region, round));
      return `${service}${token ? " (signed in)" : ""}\n${lines.join("\n")}`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "certlight-mcp", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) };
    case "tools/call": {
      const tool = tools.find((t) => t.name === params.name);
      if (!tool) return { content: [{ type: "text", text: `Unknown tool: ${params.name}` }], isError: true };
      try {
        return { content: [{ type: "text", text: await tool.run(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    }
    case "ping":
      return {};
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let request;
    try {
      request = JSON.parse(line);
    } catch {
      send({ id: null, error: { code: -32700, message: "Parse error" } });
      continue;
    }
    const { id, method, params } = request ?? {};
    if (id === undefined || method === undefined) continue;
    const result = await answer(method, params ?? {});
    send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
  }
  process.exit(0);
}

main();
