#!/usr/bin/env node
// Computes digests of texts, and of the files of one folder.

import { createHash, getHashes } from "node:crypto";
import { createReadStream, realpathSync } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";

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

const root = realpathSync(process.argv[2] ?? ".");
const known = ["sha256", "sha512", "sha1", "md5"].filter((name) => getHashes().includes(name));
const algorithm = { type: "string", enum: known, description: "Which digest" };

function checked(name = "sha256") {
  if (!known.includes(name)) throw new Error(`One of ${known.join(", ")} is wanted.`);
  return name;
}

async function digest(file, name) {
  const hash = createHash(name);
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

async function inside(path) {
  const at = await realpath(resolve(root, path)).catch(() => { throw new Error("There is no such file."); });
  if (!at.startsWith(root + sep) || !(await lstat(at)).isFile()) throw new Error("There is no such file in the folder.");
  return at;
}

async function* walk(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* walk(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}

const annotations = { readOnlyHint: true, openWorldHint: false };

await serve({
  name: "digestor-mcp",
  version: "1.0.0",
  tools: {
    hash_text: {
      about: "Compute the digest of a text.", input: { text: { type: "string", description: "The text" }, algorithm }, required: ["text"], annotations,
      run: ({ text, algorithm: name }) => createHash(checked(name)).update(text).digest("hex"),
    },
    hash_file: {
      about: "Compute the digest of a file.", input: { file: { type: "string", description: "File of the folder" }, algorithm }, required: ["file"], annotations,
      run: async ({ file, algorithm: name }) => digest(await inside(file), checked(name)),
    },
    checksums: {
      about: "List the SHA-256 digests of all files of the folder.", annotations,
      run: async () => {
        const list = [];
        for await (const file of walk(root)) if (list.length < 1000) list.push(`${await digest(file, "sha256")}  ${relative(root, file)}`);
        return list.join("\n");
      },
    },
  },
});
