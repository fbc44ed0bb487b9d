'use strict';
(() => {
  const { existsSync } = require('fs');
  const { fileURLToPath } = require('url');
  const { Session } = require('inspector');
  const prefix = '@CODE@', roots = @ROOTS@, names = @NAMES@;
  const scripts = new Map();
  let left = 200000;

  function tell(kind, numbers, name) {
    const room = 3800 - prefix.length - Buffer.byteLength(name);
    for (let part = []; numbers.length > 0 && left > 0; part = []) {
      for (let size = 0; numbers.length > 0 && (size += String(numbers[0]).length + 1) <= room;) part.push(numbers.shift());
      if (part.length === 0) return;
      left--;
      existsSync(prefix + kind + ' ' + part.join(' ') + '\t' + name);
    }
  }

  // What a package manager put beside the server's own package is not its own.
  function own(name) {
    if (!roots.some((root) => name.startsWith(root))) return false;
    const cut = name.lastIndexOf('/node_modules/');
    const tail = name.slice(cut + '/node_modules/'.length);
    return cut < 0 || names.some((n) => tail.startsWith(n + '/'));
  }

  class Script {
    constructor(name, size) {
      this.name = name;
      this.ran = new Uint8Array(size);
      this.functions = new Map();
      tell('n', [size], name);
    }

    // Counters begin anew with each look. Inner functions and blocks come after
    // what surrounds them, so the last that covers a place decides.
    look(functions) {
      const now = new Uint8Array(this.ran.length), have = [], ran = [];
      functions.sort((a, b) => a.ranges[0].startOffset - b.ranges[0].startOffset || b.ranges[0].endOffset - a.ranges[0].endOffset);
      for (const f of functions) {
        for (const r of f.ranges) now.fill(r.count > 0 ? 1 : 0, r.startOffset, r.endOffset);
        const { startOffset: at, endOffset: end, count } = f.ranges[0];
        if (at === 0 && end === now.length) continue;
        if (!this.functions.has(at)) have.push(at);
        if (count > 0 && !this.functions.get(at)) ran.push(at);
        this.functions.set(at, count > 0 || this.functions.get(at) === true);
      }
      tell('f', have, this.name);
      tell('r', ran, this.name);
      tell('o', this.merge(now), this.name);
    }

    // merge returns the stretches that ran for the first time.
    merge(now) {
      const out = [];
      for (let i = 0; i < now.length; i++) {
        if (!now[i] || this.ran[i]) continue;
        const from = i;
        while (i < now.length && now[i]) this.ran[i++] = 1;
        out.push(from + '-' + i);
      }
      return out;
    }
  }

  function script(s) {
    if (scripts.has(s.scriptId)) return scripts.get(s.scriptId);
    let found = null;
    const whole = s.functions.find((f) => f.ranges[0].startOffset === 0);
    if (whole && s.url.startsWith('file://')) {
      const name = fileURLToPath(s.url);
      if (own(name)) found = new Script(name, whole.ranges[0].endOffset);
    }
    if (found || whole) scripts.set(s.scriptId, found);
    return found;
  }

  const session = new Session();
  session.connect();
  function look() {
    try {
      session.post('Profiler.takePreciseCoverage', (err, taken) => {
        for (const s of err ? [] : taken.result) script(s)?.look(s.functions);
      });
    } catch {}
  }
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true }, (err) => {
    if (!err) existsSync(prefix + 's node');
  });
  process.on('exit', look);
  if (!require('worker_threads').isMainThread) {
    return;
  }
  // The waits get longer, so that the clock can still be advanced.
  let wait = 100;
  const again = () => { look(); setTimeout(again, wait = Math.min(wait * 2, 3600000)).unref(); };
  setTimeout(again, wait).unref();
  process.on('SIGTERM', () => {
    look();
    if (process.listenerCount('SIGTERM') === 1) process.exit(143);
  });
})();
