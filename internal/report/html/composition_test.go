package html_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mcpsf/mcpsf"
)

// composed is a run whose package was read and has n dependencies.
func composed(r run, n int) run {
	report := *r.report
	report.Inspection = inspection(n)
	return run{&report, r.events}
}

func inspection(n int) *mcpsf.Inspection {
	in := &mcpsf.Inspection{
		Files: mcpsf.FileTotals{Seen: 31, Source: 14, Parsed: 13, Bytes: 212_000},
		Capabilities: []mcpsf.Capability{
			{Kind: mcpsf.CapabilityExec, Packages: []string{"pkg:npm/cross-spawn@7.0.3"}, Used: mcpsf.LoadedNo},
			{
				Kind: mcpsf.CapabilityFiles, Count: 27, Declared: "Keeps what it fetched in files below the cache directory.", Used: mcpsf.LoadedYes, Evidence: []int64{53, 56},
				Places: []mcpsf.CodePlace{
					{Path: "src/cache.ts", Line: 18, Name: "fs.writeFile", Tools: []string{"get_weather", "convert_units"}},
					{Path: "src/cache.ts", Line: 31, Name: "fs.readFile", Tools: []string{"get_weather"}}, {Path: "src/settings.ts", Line: 7, Name: "fs.readFileSync"},
					{Path: "src/settings.ts", Line: 22, Name: "fs.existsSync"}, {Path: "src/log.ts", Line: 9, Name: "fs.appendFile"},
				},
			},
			{
				Kind: mcpsf.CapabilityNetwork, Count: 1, Declared: "Asks the weather service for a forecast.", Used: mcpsf.LoadedYes, Evidence: []int64{155, 184},
				Places:   []mcpsf.CodePlace{{Path: "src/weather.ts", Line: 41, Name: "fetch", Tools: []string{"get_weather"}}},
				Packages: []string{"pkg:npm/node-fetch@2.6.1", "pkg:npm/ws@8.16.0", "pkg:npm/express@4.18.2", "pkg:npm/jsdom@20.0.0"},
			},
			{Kind: mcpsf.CapabilityDynamic, Packages: []string{"pkg:npm/ajv@8.12.0"}},
			{Kind: mcpsf.CapabilityCredential, Count: 1, Places: []mcpsf.CodePlace{{Path: "src/weather.ts", Line: 52, Name: "~/.aws/credentials"}}, Used: mcpsf.LoadedYes, Evidence: []int64{44, 47}},
		},
		Tools: []mcpsf.SourceTool{
			{Tool: mcpsf.Tool{Name: "get_weather"}, Path: "src/weather.ts", Line: 30},
			{Tool: mcpsf.Tool{Name: "debug_shell", Description: "For the maintainer."}, Path: "src/debug.ts", Line: 4},
		},
		Gaps: []string{"src/vendor.min.js: only its words were read", "native code in 2 files"},
	}
	in.Packages = append([]mcpsf.Package{{Ecosystem: mcpsf.EcosystemNPM, Name: "weather", Version: "1.2.0", PURL: "pkg:npm/weather@1.2.0", Installed: true, Loaded: mcpsf.LoadedYes, Licences: []string{"MIT"}}}, dependencies(n)...)
	in.Advisories = advisories()
	exported := time.Date(2026, 11, 14, 3, 0, 0, 0, time.UTC)
	in.Lookup = mcpsf.Lookup{
		Packages: len(in.Packages) - 1, Unknown: 1,
		Sources: []mcpsf.AdvisorySource{{Name: "database on this machine", Ecosystem: "npm", Records: 214_331, Exported: exported, Fetched: exported.Add(time.Hour)}},
	}
	return in
}

// dependencies returns well-known names first, then invented ones.
func dependencies(n int) []mcpsf.Package {
	var all []mcpsf.Package
	add := func(name, version, licence string, loaded mcpsf.Loaded, via ...string) {
		p := mcpsf.Package{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: version, PURL: "pkg:npm/" + name + "@" + version, Installed: true, Loaded: loaded, Licences: []string{licence}}
		p.Via = append([]string{}, via...)
		all = append(all, p)
	}
	add("express", "4.18.2", "MIT", mcpsf.LoadedYes)
	add("qs", "6.5.2", "BSD-3-Clause", mcpsf.LoadedYes, "pkg:npm/express@4.18.2", "pkg:npm/body-parser@1.20.1")
	add("body-parser", "1.20.1", "MIT", mcpsf.LoadedYes, "pkg:npm/express@4.18.2")
	add("node-fetch", "2.6.1", "MIT", mcpsf.LoadedYes)
	add("ws", "8.16.0", "MIT", mcpsf.LoadedNo, "pkg:npm/jsdom@20.0.0")
	add("ajv", "8.12.0", "MIT", mcpsf.LoadedNo)
	add("execa", "5.1.1", "MIT", mcpsf.LoadedNo)
	add("cross-spawn", "7.0.3", "MIT", mcpsf.LoadedNo, "pkg:npm/execa@5.1.1")
	add("jsdom", "20.0.0", "MIT", mcpsf.LoadedNo)
	for i := len(all); i < n; i++ {
		p := mcpsf.Package{
			Ecosystem: mcpsf.EcosystemNPM, Name: fmt.Sprintf("@scope/part%d", i), Version: fmt.Sprintf("1.%d.0", i%40), Installed: i%9 > 0, Dev: i%11 == 0,
			Via: []string{"pkg:npm/express@4.18.2", fmt.Sprintf("pkg:npm/%%40scope/part%d@1.%d.0", i/3, i/3%40)}, Loaded: mcpsf.LoadedNo, Licences: []string{[]string{"MIT", "ISC", "Apache-2.0", ""}[i%4]},
		}
		p.PURL = fmt.Sprintf("pkg:npm/%%40scope/part%d@%s", i, p.Version)
		all = append(all, p)
	}
	return all
}

func advisories() []mcpsf.Advisory {
	return []mcpsf.Advisory{
		{ID: "GHSA-3h5v-q93c-6h6q", Aliases: []string{"CVE-2024-37890"}, Package: "pkg:npm/ws@8.16.0", Summary: "ws affected by a DoS when handling a request with many HTTP headers", Severity: mcpsf.SeverityHigh, Score: 7.5, Fixed: []string{"8.17.1"}, Loaded: mcpsf.LoadedNo},
		{ID: "GHSA-hrpp-h998-j3pp", Aliases: []string{"CVE-2022-24999"}, Package: "pkg:npm/qs@6.5.2", Summary: "qs vulnerable to Prototype Pollution", Severity: mcpsf.SeverityHigh, Score: 7.5, Fixed: []string{"6.5.3"}, Loaded: mcpsf.LoadedYes},
		{ID: "GHSA-r683-j2x4-v87g", Aliases: []string{"CVE-2022-0235"}, Package: "pkg:npm/node-fetch@2.6.1", Summary: "node-fetch forwards secure headers to untrusted sites", Severity: mcpsf.SeverityMedium, Score: 6.1, Fixed: []string{"2.6.7"}, Loaded: mcpsf.LoadedYes},
		{ID: "GHSA-3xgq-45jj-v275", Aliases: []string{"CVE-2024-21538"}, Package: "pkg:npm/cross-spawn@7.0.3", Summary: "Regular Expression Denial of Service in cross-spawn", Severity: mcpsf.SeverityHigh, Score: 7.5, Fixed: []string{"7.0.5"}, Loaded: mcpsf.LoadedNo},
	}
}

// Thousands of packages can be searched, and their names stay text.
func TestBrowserPackages(t *testing.T) {
	r := composed(thief(t), 2000)
	r.report.Inspection.Packages[1500].Name = evil()[0]
	r.report.Inspection.Packages[1501].Licences = []string{evil()[8]}
	b := open(t, render(t, r))
	found := func() string { return eval[string](b, `document.getElementById("part-found").textContent`) }
	rows := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll("#part-rows tr")].map((r) => r.innerText)`)
	}
	if eval[bool](b, `document.getElementById("part-rows").checkVisibility()`) {
		t.Error("all packages are shown at once")
	}
	b.do(chromedp.Focus("#parts summary"), chromedp.KeyEvent(kb.Enter))
	if !eval[bool](b, `document.getElementById("part-filters").checkVisibility()`) {
		t.Error("the list does not unfold")
	}
	if got := found(); got != "100 of 2,001 packages" || len(rows()) != 100 {
		t.Errorf("%s in %d rows", got, len(rows()))
	}
	written := eval[string](b, `document.querySelector("#part-rows").innerHTML`)
	if !eval[bool](b, `(() => {
		const more = document.getElementById("part-more");
		more.scrollIntoView();
		const at = more.getBoundingClientRect();
		return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) === more;
	})()`) {
		t.Error("something lies over the button")
	}
	b.do(chromedp.Focus("#part-more"), chromedp.KeyEvent(kb.Enter))
	if got := found(); got != "300 of 2,001 packages" || len(rows()) != 300 {
		t.Errorf("%s in %d rows", got, len(rows()))
	}
	b.do(chromedp.SendKeys("#part-text", "ONERROR no such"), chromedp.WaitNotPresent("#part-rows tr"))
	if got := found(); got != "No package is like that." {
		t.Error(got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("part-text").value = ""`), chromedp.SendKeys("#part-text", "<script>"), chromedp.WaitVisible("#part-rows tr"))
	if got := rows(); len(got) != 1 || !strings.Contains(got[0], evil()[0]) {
		t.Errorf("the search shows %q", got)
	}
	choose := func(kind string) {
		b.do(chromedp.Evaluate[chromedp.Void](`{
			document.getElementById("part-text").value = "";
			const kind = document.getElementById("part-kind");
			kind.value = [...kind.options].find((o) => o.text === "` + kind + `").value;
			kind.dispatchEvent(new Event("change"));
		}`))
	}
	choose("with advisories")
	if got := rows(); len(got) != 4 || !strings.Contains(got[0], "1 advisory") {
		t.Errorf("those with advisories are %q", got)
	}
	choose("all")
	// The script writes the same rows that the page has without it.
	if again := eval[string](b, `[...document.querySelectorAll("#part-rows tr")].slice(0, 100).map((r) => r.outerHTML).join("")`); again != strings.ReplaceAll(written, "\n", "") {
		t.Errorf("the rows of the script differ:\n%.600s\n%.600s", again, written)
	}
	b.quiet()
}

func TestBrowserCompositionIsText(t *testing.T) {
	r := hostile(100)
	two := evil()[0] + strings.Repeat("2 MB ", 2<<20/5)
	in := r.report.Inspection
	in.Capabilities[0].Declared, in.Advisories[0].Summary, in.Packages[0].Name, in.Lookup.Missing, in.Gaps[0] = two, two, two, two, two
	in.Packages[1].Via = slices.Repeat([]string{two}, 50)
	page := render(t, r)
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	b := open(t, page)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#composition details").forEach((d) => { d.open = true })`))
	s := eval[string](b, `document.getElementById("composition").innerText`)
	if !strings.Contains(s, evil()[0]) || strings.ContainsAny(s, "\u202e\u2066\u200b\u2028\x1b") {
		t.Error("what a target wrote is not shown as text")
	}
	for _, width := range []int64{320, 1280} {
		b.do(chromedp.EmulateViewport(width, 844))
		if got := eval[int64](b, `document.documentElement.scrollWidth`); got > width {
			t.Errorf("%d wide at %d", got, width)
		}
	}
	b.quiet()
}
