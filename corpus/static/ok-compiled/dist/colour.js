"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.luminance = exports.toHex = exports.mix = void 0;
exports.parse = parse;
const named = { red: "#ff0000", green: "#008000", blue: "#0000ff", white: "#ffffff", black: "#000000", orange: "#ffa500", teal: "#008080" };
function parse(text) {
    var _a;
    const hex = ((_a = named[text.toLowerCase()]) !== null && _a !== void 0 ? _a : text).replace(/^#/, "");
    if (!/^[0-9a-f]{6}$/i.test(hex))
        throw new Error(`${text} is not a colour`);
    return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
}
const mix = (a, b) => a.map((v, i) => Math.round((v + b[i]) / 2));
exports.mix = mix;
const toHex = (c) => "#" + c.map((v) => v.toString(16).padStart(2, "0")).join("");
exports.toHex = toHex;
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
exports.luminance = luminance;
