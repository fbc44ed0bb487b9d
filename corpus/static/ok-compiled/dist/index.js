"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
Object.defineProperty(exports, "__esModule", { value: true });
const node_readline_1 = require("node:readline");
const node_child_process_1 = require("node:child_process");
const table_js_1 = require("./table.js");
const colour = __importStar(require("./colour.js"));
const cache_js_1 = require("./cache.js");
const cache = new cache_js_1.Cache(100);
const tools = {
    table: { description: "Format a table of comma separated values.", run: ({ text }) => (0, table_js_1.formatTable)(text.split("\n").map(table_js_1.parseRow)) },
    colour: { description: "Mix two colours.", run: ({ a, b }) => colour.toHex(colour.mix(colour.parse(a), colour.parse(b))) },
    version: { description: "Tell the version of git.", run: () => new Promise((done, fail) => (0, node_child_process_1.execFile)("git", ["--version"], (e, out) => (e ? fail(e) : done(out)))) },
};
function answer(message) {
    return __awaiter(this, void 0, void 0, function* () {
        var _a, _b;
        switch (message.method) {
            case "initialize":
                return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "table", version: "1.0.0" } };
            case "tools/list":
                return { tools: Object.entries(tools).map(([name, t]) => ({ name, description: t.description, inputSchema: { type: "object" } })) };
            case "tools/call": {
                const key = JSON.stringify(message.params);
                const text = (_a = cache.get(key)) !== null && _a !== void 0 ? _a : (yield tools[message.params.name].run((_b = message.params.arguments) !== null && _b !== void 0 ? _b : {}));
                cache.set(key, text);
                return { content: [{ type: "text", text: String(text) }] };
            }
        }
        return {};
    });
}
(0, node_readline_1.createInterface)({ input: process.stdin }).on("line", (line) => __awaiter(void 0, void 0, void 0, function* () {
    const message = JSON.parse(line);
    if (message.id === undefined)
        return;
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: yield answer(message) }) + "\n");
}));
