"use strict";
var __classPrivateFieldGet = (this && this.__classPrivateFieldGet) || function (receiver, state, kind, f) {
    if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
    if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
    return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
};
var _Cache_entries;
Object.defineProperty(exports, "__esModule", { value: true });
exports.Cache = void 0;
class Cache {
    constructor(limit) {
        _Cache_entries.set(this, new Map());
        this.limit = limit;
    }
    get(key) {
        const value = __classPrivateFieldGet(this, _Cache_entries, "f").get(key);
        if (value !== undefined) {
            __classPrivateFieldGet(this, _Cache_entries, "f").delete(key);
            __classPrivateFieldGet(this, _Cache_entries, "f").set(key, value);
        }
        return value;
    }
    set(key, value) {
        __classPrivateFieldGet(this, _Cache_entries, "f").delete(key);
        __classPrivateFieldGet(this, _Cache_entries, "f").set(key, value);
        while (__classPrivateFieldGet(this, _Cache_entries, "f").size > this.limit)
            __classPrivateFieldGet(this, _Cache_entries, "f").delete(__classPrivateFieldGet(this, _Cache_entries, "f").keys().next().value);
    }
}
exports.Cache = Cache;
_Cache_entries = new WeakMap();
