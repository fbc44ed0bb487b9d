"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const make = (name, className, text) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };

  // Colours: the reader's choice lasts as long as the page is open.
  const theme = by("theme"), root = document.documentElement;
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours"); };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();

  // Copying. Where the browser refuses, the text is left selected.
  for (const box of document.querySelectorAll(".copy")) {
    const block = box.querySelector("pre"), button = make("button", "", "Copy");
    button.type = "button";
    box.classList.add("able");
    box.append(button);
    button.addEventListener("click", async () => {
      let done = true;
      try { await navigator.clipboard.writeText(block.textContent); } catch { done = false; }
      if (!done) getSelection().selectAllChildren(block);
      button.textContent = done ? "Copied" : "Selected";
      by("said").textContent = done ? "Copied" : "Selected, ready to be copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  // Paper does not unfold.
  let closed = [];
  addEventListener("beforeprint", () => { closed = [...document.querySelectorAll("details:not(.keep, .keep *, [open])")]; for (const d of closed) d.open = true; });
  addEventListener("afterprint", () => { for (const d of closed) d.open = false; closed = []; });

  // The events. A row is: number, seconds, call, kind, process, verb, what, count, flags.
  const data = JSON.parse(by("data").textContent);
  const LATE = 1, UNFOLDS = 2, PAGE = 200, levels = ["", "info", "low", "medium", "high", "critical"];
  const level = (e) => levels[e[8] >> 2];
  const kinds = [...document.querySelectorAll('input[name="kind"]')];
  const tool = by("tool"), text = by("text"), proofs = by("proofs"), every = by("every");
  data.tools.forEach((name, i) => { const o = make("option", "", name); o.value = String(i); tool.append(o); });
  by("filters").hidden = data.events.length === 0;

  const title = (call) => call < 0 ? ["", "outside calls"] : data.calls[call];
  let hits = [], shown = 0, last = null;

  const matches = () => {
    const chosen = new Set(kinds.filter((k) => k.checked).map((k) => Number(k.value)));
    const wanted = text.value.trim().toLowerCase(), of = tool.value === "" ? -1 : Number(tool.value);
    return data.events.filter((e) => {
      if (chosen.size && !chosen.has(e[3])) return false;
      if (of >= 0 && (e[2] < 0 || data.calls[e[2]][2] !== of)) return false;
      if (proofs.checked && !level(e)) return false;
      if (!wanted) return true;
      const call = title(e[2]);
      return [e[6], data.verbs[e[5]], data.procs[e[4]], call[0], call[1], "#" + e[0]].some((s) => s.toLowerCase().includes(wanted));
    });
  };

  const row = (e) => {
    const li = make("li", level(e) ? "row proof " + level(e) : "row");
    const what = make("span", "w", e[6]), number = make("span", "s");
    if (e[7] > 1) what.append(" ", make("span", "muted", "×" + e[7]));
    if (e[8] & LATE) what.append(" ", make("span", "muted", "(late)"));
    if (e[8] & UNFOLDS) {
      const a = make("a", "", "#" + e[0]);
      a.href = "#e" + e[0];
      number.append(a);
    } else number.textContent = "#" + e[0];
    li.append(make("span", "t", e[1].toFixed(3)), make("span", "p", data.procs[e[4]]), make("span", "v", data.verbs[e[5]]), what, number);
    return li;
  };

  const show = () => {
    const list = document.createDocumentFragment();
    for (const e of hits.slice(shown, shown + PAGE)) {
      if (e[2] !== last) {
        const [id, name] = title(e[2]), head = make("li", "callhead");
        if (id) head.append(make("span", "muted", id), " ");
        head.append(name);
        list.append(head);
        last = e[2];
      }
      list.append(row(e));
    }
    shown = Math.min(shown + PAGE, hits.length);
    by("hits").append(list);
    by("more").hidden = shown >= hits.length;
    by("found").textContent = hits.length === 0 ? "No event is like that." : `${shown.toLocaleString("en")} of ${hits.length.toLocaleString("en")} events`;
  };

  const apply = () => {
    const active = kinds.some((k) => k.checked) || tool.value !== "" || text.value.trim() !== "" || proofs.checked || every.checked;
    by("results").hidden = !active;
    by("folded").hidden = active;
    by("hits").replaceChildren();
    hits = active ? matches() : [];
    shown = 0;
    last = null;
    if (active) show();
  };

  const patiently = (what) => { let timer = 0; return () => { clearTimeout(timer); timer = setTimeout(what, 120); }; };
  text.addEventListener("input", patiently(apply));
  for (const e of [...kinds, tool, proofs, every]) e.addEventListener("change", apply);
  by("more").addEventListener("click", show);
  by("reset").addEventListener("click", () => {
    for (const e of [...kinds, proofs, every]) e.checked = false;
    tool.value = text.value = "";
    apply();
  });

  // The packages. A row is: name, version, the numbers of words for ecosystem,
  // notes, advisories, licence, way and loaded; level, flags. The first rows
  // are in the page already.
  const parts = data.parts, rows = by("part-rows");
  if (!parts || !rows) return;
  const partText = by("part-text"), partKind = by("part-kind");
  let matching = parts.rows, listed = rows.children.length;

  const shape = (level) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", "shape " + level);
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#shape-" + level);
    svg.append(use);
    return svg;
  };

  const cell = (label, ...content) => {
    const td = make("td"), span = make("span");
    td.dataset.label = label;
    span.append(...content);
    td.append(span);
    return td;
  };

  const part = (p) => {
    const word = (i) => parts.words[p[i]], tr = make("tr");
    const name = [make("code", "", p[0]), " ", p[1], " ", make("span", "muted", word(2))];
    if (p[8]) {
      const tag = make("span", "tag");
      tag.append(shape(levels[p[8]]), word(4));
      name.push(" ", tag);
    }
    if (word(3)) name.push(" ", make("span", "muted", "· " + word(3)));
    tr.append(cell("Package", ...name), cell("Licence", word(5)), cell("Came in by", word(6)), cell("Loaded", word(7)));
    return tr;
  };

  const tell = () => {
    by("part-more").hidden = listed >= matching.length;
    by("part-found").textContent = matching.length === 0 ? "No package is like that." : `${listed.toLocaleString("en")} of ${matching.length.toLocaleString("en")} package${matching.length === 1 ? "" : "s"}`;
  };

  const list = (n) => {
    rows.append(...matching.slice(listed, listed + n).map(part));
    listed = Math.min(listed + n, matching.length);
    tell();
  };

  const narrow = () => {
    const wanted = partText.value.trim().toLowerCase(), flag = Number(partKind.value);
    matching = parts.rows.filter((p) => (!flag || p[9] & flag) && (!wanted || (p[0] + " " + p[1] + " " + [2, 3, 5, 6].map((i) => parts.words[p[i]]).join(" ")).toLowerCase().includes(wanted)));
    rows.replaceChildren();
    listed = 0;
    list(PAGE);
  };

  by("part-filters").hidden = false;
  tell();
  partText.addEventListener("input", patiently(narrow));
  partKind.addEventListener("change", narrow);
  by("part-more").addEventListener("click", () => list(PAGE));
})();
