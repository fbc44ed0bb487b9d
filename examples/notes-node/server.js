#!/usr/bin/env node
"use strict";

// An MCP server that keeps notes in Markdown files, one per note, in the
// folder "notes" of its working directory. It speaks newline-delimited
// JSON-RPC on standard input and output, needs nothing but Node.js, and
// touches nothing but its own folder.

const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const FOLDER = path.resolve("notes");
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MAX_TITLE = 100;
const MAX_TEXT = 100_000;

// ---------------------------------------------------------------- notes ----

/** Something the caller can fix; it becomes a tool result with isError. */
class NoteError extends Error {}

/**
 * The file of a note. The title itself never becomes a path: what is readable
 * of it is kept, and a hash tells apart what looks alike.
 */
function fileOf(title) {
  const readable = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-|-$/g, "");
  const hash = crypto.createHash("sha256").update(title).digest("hex").slice(0, 12);
  return path.join(FOLDER, `${readable || "note"}-${hash}.md`);
}

/** A note's file is its title as a heading, an empty line, and the text. */
function parseNote(content) {
  const match = /^# (.*)\n\n([\s\S]*)\n$/.exec(content);
  return match && { title: match[1], text: match[2] };
}

function allNotes() {
  if (!fs.existsSync(FOLDER)) return [];
  return fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .map((name) => parseNote(fs.readFileSync(path.join(FOLDER, name), "utf8")))
    .filter((note) => note !== null)
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}

function readNote(title) {
  const note = fs.existsSync(fileOf(title)) && parseNote(fs.readFileSync(fileOf(title), "utf8"));
  if (!note) throw new NoteError(`There is no note with the title "${title}".`);
  return note;
}

function createNote(title, text) {
  fs.mkdirSync(FOLDER, { recursive: true });
  try {
    fs.writeFileSync(fileOf(title), `# ${title}\n\n${text}\n`, { flag: "wx" });
  } catch (error) {
    if (error.code === "EEXIST") throw new NoteError(`There already is a note with the title "${title}".`);
    throw error;
  }
}

function deleteNote(title) {
  readNote(title);
  fs.unlinkSync(fileOf(title));
}

function searchNotes(query) {
  const wanted = query.toLowerCase();
  return allNotes().filter(({ title, text }) => `${title}\n${text}`.toLowerCase().includes(wanted));
}

// ---------------------------------------------------------------- tools ----

const TITLE = { type: "string", description: "Title of the note", minLength: 1, maxLength: MAX_TITLE };

const TOOLS = {
  create_note: {
    title: "Create a note",
    description: "Save a new note under a title.",
    properties: {
      title: TITLE,
      text: { type: "string", description: "Text of the note, in Markdown", maxLength: MAX_TEXT },
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    call({ title, text }) {
      createNote(title, text);
      return `Saved "${title}".`;
    },
  },
  list_notes: {
    title: "List notes",
    description: "List the titles of all notes.",
    properties: {},
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: () => bullets(allNotes(), "There are no notes yet."),
  },
  read_note: {
    title: "Read a note",
    description: "Return the text of the note with this title.",
    properties: { title: TITLE },
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: ({ title }) => readNote(title).text,
  },
  search_notes: {
    title: "Search notes",
    description: "List the titles of the notes that contain a text, in any case.",
    properties: { query: { type: "string", description: "Text to look for", minLength: 1, maxLength: 200 } },
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: ({ query }) => bullets(searchNotes(query), `No note contains "${query}".`),
  },
  delete_note: {
    title: "Delete a note",
    description: "Delete the note with this title for good.",
    properties: { title: TITLE },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    call({ title }) {
      deleteNote(title);
      return `Deleted "${title}".`;
    },
  },
};

function bullets(notes, none) {
  return notes.length === 0 ? none : notes.map(({ title }) => `- ${title}`).join("\n");
}

function listTools() {
  const tools = Object.entries(TOOLS).map(([name, { title, description, properties, annotations }]) => ({
    name,
    title,
    description,
    inputSchema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
    annotations: { title, ...annotations },
  }));
  return { tools };
}

/** Checks arguments against the schema the tool declares; all are strings. */
function checkArguments(properties, args) {
  if (!isObject(args)) throw new NoteError("The arguments have to be an object.");
  for (const name of Object.keys(args)) {
    if (!has(properties, name)) throw new NoteError(`There is no argument "${name}".`);
  }
  for (const [name, { minLength = 0, maxLength }] of Object.entries(properties)) {
    const value = args[name];
    if (typeof value !== "string") throw new NoteError(`"${name}" has to be a string.`);
    const length = [...value].length;
    if (length < minLength || length > maxLength) {
      throw new NoteError(`"${name}" has to have ${minLength} to ${maxLength} characters.`);
    }
    if (!value.isWellFormed()) throw new NoteError(`"${name}" is not valid Unicode.`);
    if (name === "title" && /\p{Cc}/u.test(value)) throw new NoteError("A title is one line without control characters.");
  }
}

function callTool({ name, arguments: args = {} }) {
  if (!has(TOOLS, name)) throw invalidParams(`There is no tool "${name}".`);
  const tool = TOOLS[name];
  try {
    checkArguments(tool.properties, args);
    return { content: [{ type: "text", text: tool.call(args) }] };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}

// -------------------------------------------------- resources and prompts ----

const URI_PREFIX = "note:///";

function listResources() {
  const resources = allNotes().map(({ title }) => ({
    uri: URI_PREFIX + encodeURIComponent(title),
    name: title,
    mimeType: "text/markdown",
  }));
  return { resources };
}

function listResourceTemplates() {
  const template = { uriTemplate: `${URI_PREFIX}{title}`, name: "note", title: "A note by its title", mimeType: "text/markdown" };
  return { resourceTemplates: [template] };
}

function readResource({ uri }) {
  try {
    if (typeof uri !== "string" || !uri.startsWith(URI_PREFIX)) throw new NoteError();
    const { text } = readNote(decodeURIComponent(uri.slice(URI_PREFIX.length)));
    return { contents: [{ uri, mimeType: "text/markdown", text }] };
  } catch (error) {
    if (!(error instanceof NoteError || error instanceof URIError)) throw error;
    throw new RPCError(-32002, "There is no such resource.", { uri });
  }
}

const PROMPTS = {
  summarize_notes: {
    title: "Summarize all notes",
    description: "Ask for a summary of everything that was noted.",
    arguments: [],
    text: () => `Summarize these notes:\n\n${allNotes().map(({ title, text }) => `# ${title}\n\n${text}`).join("\n\n")}`,
  },
  continue_note: {
    title: "Continue a note",
    description: "Ask for the next paragraph of a note.",
    arguments: [{ name: "title", description: "Title of the note", required: true }],
    text: ({ title }) => `Write the next paragraph of this note:\n\n${readNote(title).text}`,
  },
};

function listPrompts() {
  const prompts = Object.entries(PROMPTS).map(([name, { title, description, arguments: args }]) => ({
    name,
    title,
    description,
    arguments: args,
  }));
  return { prompts };
}

function getPrompt({ name, arguments: args = {} }) {
  if (!has(PROMPTS, name)) throw invalidParams(`There is no prompt "${name}".`);
  const prompt = PROMPTS[name];
  for (const { name: wanted } of prompt.arguments) {
    if (typeof args?.[wanted] !== "string") throw invalidParams(`The argument "${wanted}" is missing.`);
  }
  try {
    const text = prompt.text(args);
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  } catch (error) {
    if (error instanceof NoteError) throw invalidParams(error.message);
    throw error;
  }
}

// ------------------------------------------------------------- protocol ----

/** A JSON-RPC error response. */
class RPCError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

function invalidParams(message) {
  return new RPCError(-32602, message);
}

function initialize({ protocolVersion }) {
  return {
    protocolVersion: PROTOCOL_VERSIONS.includes(protocolVersion) ? protocolVersion : PROTOCOL_VERSIONS[0],
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: "notes-node", title: "Notes", version: "1.0.0" },
    instructions: "Keeps short notes. Titles are unique.",
  };
}

const METHODS = {
  initialize,
  ping: () => ({}),
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": listResources,
  "resources/templates/list": listResourceTemplates,
  "resources/read": readResource,
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
};

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function has(table, key) {
  return typeof key === "string" && Object.hasOwn(table, key);
}

/** Answers a message; notifications and responses have no answer. */
function answer(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return { jsonrpc: "2.0", id: null, error: { code: -32700, message: "This is not JSON." } };
  }
  if (!isObject(message) || (message.method === undefined && message.id === undefined)) {
    return { jsonrpc: "2.0", id: null, error: { code: -32600, message: "This is not a JSON-RPC message." } };
  }
  const { id, method, params = {} } = message;
  if (id === undefined || method === undefined) return undefined;
  try {
    if (!has(METHODS, method)) throw new RPCError(-32601, `There is no method "${method}".`);
    if (!isObject(params)) throw invalidParams("The parameters have to be an object.");
    return { jsonrpc: "2.0", id, result: METHODS[method](params) };
  } catch (error) {
    if (error instanceof RPCError) {
      return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message, data: error.data } };
    }
    console.error(error);
    return { jsonrpc: "2.0", id, error: { code: -32603, message: "Internal error." } };
  }
}

function serve(line) {
  if (line.trim() === "") return;
  const response = answer(line);
  if (response !== undefined) process.stdout.write(`${JSON.stringify(response)}\n`);
}

// Only "\n" ends a message. Node's readline would also split at characters
// that are allowed inside JSON strings.
let pending = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (pending + chunk).split("\n");
  pending = lines.pop();
  lines.forEach(serve);
});
process.stdin.on("end", () => serve(pending));
