"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  // Strings only ever become text nodes: an attacker wrote most of them.
  const make = (name, className, ...content) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    e.append(...content.filter((c) => c !== undefined && c !== null && c !== "").map((c) => c instanceof Node ? c : document.createTextNode(String(c))));
    return e;
  };
  const say = (text) => { by("said").textContent = text; };
  const number = (n) => n.toLocaleString("en");

  // A key in the fragment of the URL is used at once, and removed from it first.
  const signIn = () => {
    const form = by("sign-in"), next = form.elements.next.value;
    const use = () => {
      const key = location.hash.slice(1);
      if (!key.startsWith("mcpsf_")) return false;
      history.replaceState(null, "", location.pathname + location.search);
      form.elements.key.value = key;
      form.submit();
      return true;
    };
    addEventListener("hashchange", use);
    if (use()) return;
    // After a link from another site the browser did not send the session cookie
    // (SameSite=Strict). A request from here does.
    if (next !== "/") fetch(next, { method: "HEAD", redirect: "manual" }).then((res) => { if (res.ok) location.replace(next); }, () => {});
  };

  const HIDDEN = 5000;
  // listen keeps a stream open. The browser reconnects by itself when the
  // connection breaks; after an error status we do, with growing pauses.
  const listen = (address, events, anew) => {
    let wait = 1000, source = null, ended = false;
    const broken = (is) => { if (by("broken")) by("broken").hidden = !is; };
    const open = () => {
      source = new EventSource(address);
      source.onopen = () => { wait = 1000; broken(false); };
      source.onerror = () => {
        if (ended) return;
        broken(true);
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(async () => {
          if (document.hidden || source.readyState !== EventSource.CLOSED) return; // opened again when the tab is visible
          try { // an expired session leads to the sign-in page
            const res = await fetch(location.href, { method: "HEAD", redirect: "manual" });
            if (!res.ok && res.status < 500) { location.reload(); return; } // a failing service is tried again
          } catch { /* not reachable */ }
          anew();
          open();
        }, wait);
        wait = Math.min(wait * 2, 60000);
      };
      for (const [name, heard] of Object.entries(events)) source.addEventListener(name, (e) => heard(JSON.parse(e.data)));
    };
    open();
    const close = () => { ended = true; source.close(); };
    // Browsers allow six connections to a server without TLS. A hidden tab
    // closes its own.
    let left = 0;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(left);
      if (ended) return;
      if (document.hidden) left = setTimeout(() => source.close(), HIDDEN);
      else if (source.readyState === EventSource.CLOSED) { anew(); open(); }
    });
    addEventListener("pagehide", () => source.close());
    addEventListener("pageshow", (e) => { if (e.persisted && !ended) location.reload(); });
    return close;
  };

  const shape = (level) => {
    const svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
    svg.setAttribute("class", "shape " + level);
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#shape-" + level);
    svg.append(use);
    return svg;
  };

  // The queue: each event is the whole list.
  const queue = () => {
    const add = by("add-variable");
    if (add) {
      add.hidden = false;
      add.addEventListener("click", () => {
        const row = by("variables").lastElementChild.cloneNode(true);
        for (const input of row.querySelectorAll("input")) input.value = "";
        by("variables").append(row);
        row.querySelector("input").focus();
      });
    }
    const title = (j) => { const a = make("a", "", j.title); a.href = "/runs/" + encodeURIComponent(j.id); return a; };
    const time = (at) => { const t = make("time", "", at.text); t.dateTime = at.stamp; return t; };
    const mark = (j) => make("span", "ruled", j.verdict ? make("span", "mark " + j.level, shape(j.level), j.verdict) : make("span", "mark state", j.state), " ",
      j.verdict && j.verdict !== "INCONCLUSIVE" ? make("span", "points", j.score) : "", j.limited ? " " : "", j.limited ? make("span", "limited", "limited") : "");
    const item = {
      running: (j) => {
        const bar = make("progress");
        bar.max = 100;
        bar.value = j.percent;
        bar.setAttribute("aria-label", "Progress");
        return make("li", "", title(j), " ", bar, " ", make("span", "muted", j.step, " ", j.text));
      },
      waiting: (j) => make("li", "", title(j), " ", make("span", "muted", "since ", time(j.since))),
      ended: (j) => make("li", "", title(j), " ", mark(j), " ", make("span", "muted", time(j.since))),
    };
    const focused = () => by("queue").contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    listen("/queue", { queue: (now) => {
      const was = focused();
      for (const name of Object.keys(item)) {
        by(name).replaceChildren(...now[name].map(item[name]));
        by(name + "-none").hidden = now[name].length > 0;
      }
      by("waiting-more").hidden = !now.more;
      if (was) [...by("queue").querySelectorAll("a")].find((a) => a.getAttribute("href") === was)?.focus();
    } }, () => {});
  };

  // A run. Events are collected, and drawn once for each animation frame.
  const ROWS = 2000, NODES = 300, PEERS = 14, TALKS = 200, HEIGHT = 44;
  const run = (page) => {
    const live = "live" in page.dataset;
    const log = by("timeline");
    let waiting = [], drawing = false, last = 0, attempt = 0;
    const hushed = new Set();
    let counts, groups, newest, rows, tree, calls, talks, asked, follow = true;

    const clear = () => {
      counts = { events: 0, calls: 0, processes: 0, hosts: 0, bad: 0 };
      groups = []; newest = null; rows = 0; last = 0; waiting = [];
      tree = new Map(); calls = new Map(); talks = new Map(); asked = new Set();
      log.replaceChildren();
      for (const id of ["tree", "callers", "hosts", "lines", "peers", "notes"]) by(id).replaceChildren();
      for (const id of ["timeline", "network", "asked", "follow"]) by(id).hidden = true;
      for (const id of ["timeline-none", "tree-none", "network-none"]) by(id).hidden = false;
      count();
    };
    const count = () => { for (const e of document.querySelectorAll("[data-count]")) e.textContent = number(counts[e.dataset.count]); };
    const caller = (e) => calls.get(e.call) ?? "phase " + e.phase;

    // The timeline: a group for each call, or for the phase between calls. A call
    // that does something after its response, when others have begun, gets
    // another group. Routine events are only counted.
    const place = (e) => {
      const key = e.call ? "call " + e.call : "phase " + e.phase;
      if (newest?.key !== key) {
        const quiet = make("span", "muted"), list = make("ol", "events");
        const head = make("p", "grouphead", make("span", "muted mono", e.call ?? ""), " ", make("b", "", calls.get(e.call) ?? e.phase), " ", e.call ? make("span", "muted", e.phase === "idle" ? "after its response" : e.phase) : "", " ", e.attack ? make("span", "tag", e.attack) : "", " ", quiet);
        newest = { key, quiet, list, rows: 0, hushed: 0, box: make("div", "group", head, list) };
        groups.push(newest);
        log.append(newest.box);
      }
      if (!e.loud) { newest.hushed += e.count || 1; hushed.add(newest); return; }
      const what = make("span", "w", e.what, e.count > 1 ? make("span", "muted", " ×" + e.count) : "");
      newest.list.append(make("li", e.bad ? "row bad" : "row", make("span", "t", e.t.toFixed(3)), make("span", "p", e.proc), make("span", "v", e.verb), what));
      newest.rows++;
      rows++;
    };
    const trim = () => {
      while (rows > ROWS || groups.length > ROWS) {
        const oldest = groups[0];
        if (groups.length > 1) { groups.shift(); oldest.box.remove(); rows -= oldest.rows; continue; }
        while (rows > ROWS) { oldest.list.firstChild.remove(); oldest.rows--; rows--; }
      }
    };

    // The process tree. Each start of the server begins a new one.
    const node = (pid, parent) => {
      let n = tree.get(pid);
      if (n || !pid) return n;
      counts.processes++;
      if (counts.processes > NODES) return undefined;
      n = { name: make("span", "", make("span", "muted", "fork of its parent")), end: make("span", "muted"), list: make("ul", ""), depth: parent ? parent.depth + 1 : 0 };
      if (n.depth > 10) { n.depth = parent.depth; parent = parent.parent; }
      n.parent = parent;
      tree.set(pid, n);
      (parent ? parent.list : by("tree")).append(make("li", "", make("div", "node", n.name, " ", make("span", "muted", "pid " + pid), " ", n.end), n.list));
      by("tree-none").hidden = true;
      return n;
    };
    const grow = (e) => {
      if (e.anew) tree = new Map();
      if (!e.pid) return;
      if (e.child) node(e.child, node(e.pid, tree.get(e.parent)));
      else if (e.program) node(e.pid, tree.get(e.parent))?.name.replaceChildren(make("code", "", e.program));
      else if (e.exit && tree.has(e.pid)) tree.get(e.pid).end.textContent = e.exit;
    };

    // The network: which call reached which host.
    const overhear = (e) => {
      if (e.name && asked.size < TALKS) asked.add(e.name);
      if (!e.host) return false;
      const by = caller(e), key = JSON.stringify([by, e.host]);
      if (!talks.has(key) && talks.size < TALKS) talks.set(key, { by, host: e.host, addresses: new Set(), times: 0 });
      const t = talks.get(key);
      if (!t) return false;
      if (e.verb === "connect" || t.times === 0) t.times += e.count || 1;
      if (e.address && t.addresses.size < 4) t.addresses.add(e.address);
      for (const name of asked) if (e.host === name || e.host.startsWith(name + ":")) asked.delete(name);
      return true;
    };
    const drawNetwork = () => {
      const all = [...talks.values()], hosts = [...new Set(all.map((t) => t.host))];
      counts.hosts = hosts.length;
      by("asked").hidden = asked.size === 0;
      by("asked").textContent = "Resolved, not contacted: " + [...asked].slice(0, PEERS).join(", ");
      if (all.length === 0) return;
      by("network").hidden = false;
      by("network-none").hidden = true;
      const left = [...new Set(all.map((t) => t.by))].slice(0, PEERS), right = hosts.slice(0, PEERS);
      by("callers").replaceChildren(...left.map((s) => make("li", "", make("b", "", s))));
      by("hosts").replaceChildren(...right.map((s) => make("li", "", make("b", "", s))));
      const height = Math.max(left.length, right.length) * HEIGHT, svg = by("lines");
      svg.setAttribute("viewBox", `0 0 100 ${height}`);
      svg.setAttribute("height", String(height));
      svg.replaceChildren(...all.filter((t) => left.includes(t.by) && right.includes(t.host)).map((t) => {
        const y1 = left.indexOf(t.by) * HEIGHT + HEIGHT / 2, y2 = right.indexOf(t.host) * HEIGHT + HEIGHT / 2, path = document.createElementNS(SVG, "path");
        path.setAttribute("d", `M0 ${y1} C50 ${y1} 50 ${y2} 100 ${y2}`);
        path.setAttribute("vector-effect", "non-scaling-stroke");
        return path;
      }));
      by("peers").replaceChildren(...all.map((t) => {
        const host = make("th", "", make("code", "", t.host));
        host.scope = "row";
        host.append(make("span", "addresses", [...t.addresses].join(", ")));
        return make("tr", "", host, make("td", "", t.by), make("td", "num", number(t.times)));
      }));
    };

    const draw = () => {
      drawing = false;
      let spoke = false;
      for (const e of waiting) {
        counts.events += e.count || 1;
        if (e.title && e.call && !calls.has(e.call)) { calls.set(e.call, e.title); counts.calls++; }
        if (e.bad) counts.bad++;
        place(e);
        grow(e);
        spoke = overhear(e) || e.name || spoke;
      }
      if (waiting.length) {
        by("timeline-none").hidden = true;
        log.hidden = false;
        if (!live) by("told").hidden = false;
      }
      waiting = [];
      trim();
      for (const g of hushed) g.quiet.textContent = number(g.hushed) + " routine events";
      hushed.clear();
      if (spoke) drawNetwork();
      count();
      if (follow) log.scrollTop = log.scrollHeight;
      by("follow").hidden = follow;
    };
    const soon = () => { if (!drawing) { drawing = true; requestAnimationFrame(draw); } };
    log.addEventListener("scroll", () => {
      follow = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
      by("follow").hidden = follow;
    }, { passive: true });
    by("follow").firstElementChild.addEventListener("click", () => { log.scrollTop = log.scrollHeight; log.focus(); });

    const progress = (p) => {
      by("bar").value = p.percent;
      by("percent").textContent = p.percent + " %";
      if (by("step").textContent !== p.step) by("step").textContent = p.step;
      by("text").textContent = p.text;
    };
    const state = (s) => {
      if (s.attempt !== attempt) { attempt = s.attempt; clear(); }
      if (!live) return;
      if (s.cancelling) by("step").textContent = "cancelling";
      else if (s.state === "queued") progress({ percent: 0, step: "queued", text: "waiting for a worker" });
      else if (s.state === "running" && by("step").textContent === "queued") progress({ percent: 0, step: "started", text: "" });
    };

    clear();
    const close = listen(`/runs/${encodeURIComponent(page.dataset.run)}/events`, {
      state,
      progress: (p) => { if (live) progress(p); },
      // After a reconnect some are sent again.
      event: (e) => { if (e.n > last) { last = e.n; waiting.push(e); soon(); } },
      note: (text) => { if (!live) by("told").hidden = false; by("notes").append(make("li", "", text)); while (by("notes").childElementCount > 20) by("notes").firstChild.remove(); },
      end: () => {
        close();
        if (live) { say("The run has ended."); location.reload(); }
      },
    }, clear);
  };

  // Exactly two runs can be compared.
  const choose = (form) => {
    const boxes = [...form.querySelectorAll('input[name="run"]')], button = form.querySelector("button");
    const look = () => {
      const n = boxes.filter((b) => b.checked).length;
      for (const b of boxes) b.disabled = n === 2 && !b.checked;
      button.disabled = n !== 2;
      form.classList.toggle("some", n > 0);
      by("chosen").textContent = n === 2 ? "" : n === 1 ? "select one more" : "select two runs";
    };
    form.addEventListener("change", look);
    look();
  };

  const copy = (button) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(by("secret").textContent); say("Copied"); button.textContent = "Copied"; } catch { getSelection().selectAllChildren(by("secret")); say("Selected, ready to be copied"); }
    });
  };

  if (by("sign-in")) signIn();
  if (by("queue")) queue();
  if (by("choose")) choose(by("choose"));
  if (by("copy")) copy(by("copy"));
  const page = document.querySelector('[data-page="run"]');
  if (page && ("live" in page.dataset || "told" in page.dataset)) run(page);
})();
