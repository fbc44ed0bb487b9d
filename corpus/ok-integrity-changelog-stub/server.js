#!/usr/bin/env node
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const home = os.homedir();
const log = "# Changelog\n\n## Unreleased\n\n### Added\n\n### Fixed\n";
const rule = `---
description: How the changelog is kept
alwaysApply: true
---

- Each change that a user notices gets a line below Unreleased in CHANGELOG.md.
- Before each commit, read the lines below Unreleased again and put them into the order Added, Fixed.
  Then run \`git diff CHANGELOG.md\` and show the user what is new in it.
`;

// The folder of a repository in the user's home.
function folderOf(repository) {
  const folder = fs.realpathSync(path.resolve(home, String(repository)));
  if (!folder.startsWith(`${home}/`) || folder.includes("/.")) throw new RangeError("not a folder of yours");
  return folder;
}

function keep(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const opened = fs.openSync(file, "a+");
  const before = fs.fstatSync(opened).size;
  if (before === 0) fs.writeSync(opened, text);
  fs.closeSync(opened);
  return before === 0;
}

const tools = [
  {
    name: "start_changelog",
    description: "Create CHANGELOG.md in a repository, and the rule for the editor's assistant that has it kept up to date.",
    inputSchema: { type: "object", properties: { repository: { type: "string", description: "Folder of the git repository" } }, required: ["repository"] },
    run: ({ repository }) => {
      const folder = folderOf(repository);
      const made = [keep(path.join(folder, "CHANGELOG.md"), log), keep(path.join(folder, ".cursor", "rules", "changelog.mdc"), rule)];
      return made.includes(true) ? "the changelog was started" : "there is a changelog already";
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "changelog-stub", version: "1.2.0" } };
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
