/*
 * ATTENTION: The "eval" devtool has been used (maybe by default in mode: "development").
 * This devtool is neither made for production nor for readable output files.
 * It uses "eval()" calls to create a separate source file in the browser devtools.
 * If you are trying to read the output file, select a different devtool (https://webpack.js.org/configuration/devtool/)
 * or disable the default devtool with "devtool: false".
 * If you are looking for production-ready output files, see mode: "production" (https://webpack.js.org/configuration/mode/).
 */
/******/ (() => { // webpackBootstrap
/******/ 	"use strict";
/******/ 	var __webpack_modules__ = ({

/***/ "node:child_process"
/*!*************************************!*\
  !*** external "node:child_process" ***!
  \*************************************/
(module) {

module.exports = require("node:child_process");

/***/ },

/***/ "node:readline"
/*!********************************!*\
  !*** external "node:readline" ***!
  \********************************/
(module) {

module.exports = require("node:readline");

/***/ },

/***/ "./src/cache.js"
/*!**********************!*\
  !*** ./src/cache.js ***!
  \**********************/
(__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) {

eval("{__webpack_require__.r(__webpack_exports__);\n/* harmony export */ __webpack_require__.d(__webpack_exports__, {\n/* harmony export */   Cache: () => (/* binding */ Cache)\n/* harmony export */ });\nclass Cache {\n  #entries = new Map();\n  constructor(limit) { this.limit = limit; }\n  get(key) {\n    const value = this.#entries.get(key);\n    if (value !== undefined) { this.#entries.delete(key); this.#entries.set(key, value); }\n    return value;\n  }\n  set(key, value) {\n    this.#entries.delete(key);\n    this.#entries.set(key, value);\n    while (this.#entries.size > this.limit) this.#entries.delete(this.#entries.keys().next().value);\n  }\n}\n\n\n//# sourceURL=webpack://table-mcp/./src/cache.js?\n}");

/***/ },

/***/ "./src/colour.js"
/*!***********************!*\
  !*** ./src/colour.js ***!
  \***********************/
(__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) {

eval("{__webpack_require__.r(__webpack_exports__);\n/* harmony export */ __webpack_require__.d(__webpack_exports__, {\n/* harmony export */   luminance: () => (/* binding */ luminance),\n/* harmony export */   mix: () => (/* binding */ mix),\n/* harmony export */   parse: () => (/* binding */ parse),\n/* harmony export */   toHex: () => (/* binding */ toHex)\n/* harmony export */ });\nconst named = { red: \"#ff0000\", green: \"#008000\", blue: \"#0000ff\", white: \"#ffffff\", black: \"#000000\", orange: \"#ffa500\", teal: \"#008080\" };\nfunction parse(text) {\n  const hex = (named[text.toLowerCase()] ?? text).replace(/^#/, \"\");\n  if (!/^[0-9a-f]{6}$/i.test(hex)) throw new Error(`${text} is not a colour`);\n  return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));\n}\nconst mix = (a, b) => a.map((v, i) => Math.round((v + b[i]) / 2));\nconst toHex = (c) => \"#\" + c.map((v) => v.toString(16).padStart(2, \"0\")).join(\"\");\nconst luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;\n\n\n//# sourceURL=webpack://table-mcp/./src/colour.js?\n}");

/***/ },

/***/ "./src/index.js"
/*!**********************!*\
  !*** ./src/index.js ***!
  \**********************/
(__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) {

eval("{__webpack_require__.r(__webpack_exports__);\n/* harmony import */ var node_readline__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(/*! node:readline */ \"node:readline\");\n/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(/*! node:child_process */ \"node:child_process\");\n/* harmony import */ var _table_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(/*! ./table.js */ \"./src/table.js\");\n/* harmony import */ var _colour_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(/*! ./colour.js */ \"./src/colour.js\");\n/* harmony import */ var _cache_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(/*! ./cache.js */ \"./src/cache.js\");\n\n\n\n\n\n\nconst cache = new _cache_js__WEBPACK_IMPORTED_MODULE_4__.Cache(100);\nconst tools = {\n  table: { description: \"Format a table of comma separated values.\", run: ({ text }) => (0,_table_js__WEBPACK_IMPORTED_MODULE_2__.formatTable)(text.split(\"\\n\").map(_table_js__WEBPACK_IMPORTED_MODULE_2__.parseRow)) },\n  colour: { description: \"Mix two colours.\", run: ({ a, b }) => _colour_js__WEBPACK_IMPORTED_MODULE_3__.toHex(_colour_js__WEBPACK_IMPORTED_MODULE_3__.mix(_colour_js__WEBPACK_IMPORTED_MODULE_3__.parse(a), _colour_js__WEBPACK_IMPORTED_MODULE_3__.parse(b))) },\n  version: { description: \"Tell the version of git.\", run: () => new Promise((done, fail) => (0,node_child_process__WEBPACK_IMPORTED_MODULE_1__.execFile)(\"git\", [\"--version\"], (e, out) => (e ? fail(e) : done(out)))) },\n};\n\nasync function answer(message) {\n  switch (message.method) {\n    case \"initialize\":\n      return { protocolVersion: \"2025-06-18\", capabilities: { tools: {} }, serverInfo: { name: \"table\", version: \"1.0.0\" } };\n    case \"tools/list\":\n      return { tools: Object.entries(tools).map(([name, t]) => ({ name, description: t.description, inputSchema: { type: \"object\" } })) };\n    case \"tools/call\": {\n      const key = JSON.stringify(message.params);\n      const text = cache.get(key) ?? (await tools[message.params.name].run(message.params.arguments ?? {}));\n      cache.set(key, text);\n      return { content: [{ type: \"text\", text: String(text) }] };\n    }\n  }\n  return {};\n}\n\n;(0,node_readline__WEBPACK_IMPORTED_MODULE_0__.createInterface)({ input: process.stdin }).on(\"line\", async (line) => {\n  const message = JSON.parse(line);\n  if (message.id === undefined) return;\n  process.stdout.write(JSON.stringify({ jsonrpc: \"2.0\", id: message.id, result: await answer(message) }) + \"\\n\");\n});\n\n\n//# sourceURL=webpack://table-mcp/./src/index.js?\n}");

/***/ },

/***/ "./src/table.js"
/*!**********************!*\
  !*** ./src/table.js ***!
  \**********************/
(__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) {

eval("{__webpack_require__.r(__webpack_exports__);\n/* harmony export */ __webpack_require__.d(__webpack_exports__, {\n/* harmony export */   formatTable: () => (/* binding */ formatTable),\n/* harmony export */   parseRow: () => (/* binding */ parseRow)\n/* harmony export */ });\nfunction parseRow(line) {\n  const cells = [];\n  let cell = \"\", quoted = false;\n  for (let i = 0; i < line.length; i++) {\n    const c = line[i];\n    if (quoted) {\n      if (c === '\"' && line[i + 1] === '\"') { cell += '\"'; i++; } else if (c === '\"') quoted = false; else cell += c;\n    } else if (c === '\"') quoted = true;\n    else if (c === \",\") { cells.push(cell); cell = \"\"; }\n    else cell += c;\n  }\n  cells.push(cell);\n  return cells;\n}\nfunction formatTable(rows) {\n  const widths = [];\n  for (const row of rows) row.forEach((cell, i) => { widths[i] = Math.max(widths[i] ?? 0, cell.length); });\n  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join(\" | \")).join(\"\\n\");\n}\n\n\n//# sourceURL=webpack://table-mcp/./src/table.js?\n}");

/***/ }

/******/ 	});
/************************************************************************/
/******/ 	// The module cache
/******/ 	const __webpack_module_cache__ = {};
/******/ 	
/******/ 	// The require function
/******/ 	function __webpack_require__(moduleId) {
/******/ 		// Check if module is in cache
/******/ 		const cachedModule = __webpack_module_cache__[moduleId];
/******/ 		if (cachedModule !== undefined) {
/******/ 			return cachedModule.exports;
/******/ 		}
/******/ 		// Create a new module (and put it into the cache)
/******/ 		const module = __webpack_module_cache__[moduleId] = {
/******/ 			// no module.id needed
/******/ 			// no module.loaded needed
/******/ 			exports: {}
/******/ 		};
/******/ 	
/******/ 		// Execute the module function
/******/ 		if (!(moduleId in __webpack_modules__)) {
/******/ 			delete __webpack_module_cache__[moduleId];
/******/ 			const e = new Error("Cannot find module '" + moduleId + "'");
/******/ 			e.code = 'MODULE_NOT_FOUND';
/******/ 			throw e;
/******/ 		}
/******/ 		__webpack_modules__[moduleId](module, module.exports, __webpack_require__);
/******/ 	
/******/ 		// Return the exports of the module
/******/ 		return module.exports;
/******/ 	}
/******/ 	
/************************************************************************/
/******/ 	/* webpack/runtime/define property getters */
/******/ 	// define getter/value functions for harmony exports
/******/ 	__webpack_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__webpack_require__.o(definition, key) && !__webpack_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ 	
/******/ 	/* webpack/runtime/hasOwnProperty shorthand */
/******/ 	__webpack_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop));
/******/ 	
/******/ 	/* webpack/runtime/make namespace object */
/******/ 	// define __esModule on exports
/******/ 	__webpack_require__.r = (exports) => {
/******/ 		Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
/******/ 		Object.defineProperty(exports, '__esModule', { value: true });
/******/ 	};
/******/ 	
/************************************************************************/
/******/ 	
/******/ 	// startup
/******/ 	// Load entry module and return exports
/******/ 	// This entry module can't be inlined because the eval devtool is used.
/******/ 	let __webpack_exports__ = __webpack_require__("./src/index.js");
/******/ 	
/******/ })()
;