package html_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Hostile names stay text, however long and however many.
func TestBrowserHostile(t *testing.T) {
	r := hostile(10_000)
	two := evil()[0] + strings.Repeat("2 MB ", 2<<20/5)
	r.report.Target.Source = evil()[0]
	r.report.Findings[0].Message, r.report.Session.Tools[0].Description = two, two
	r.events[0].MCP, r.events[0].Process.Args = nil, []string{two}
	b := open(t, render(t, r))
	if got := eval[string](b, `document.querySelector("h1").textContent`); got != evil()[0] {
		t.Errorf("the title is %q", got)
	}
	if n := eval[int](b, `document.scripts.length + document.images.length + document.forms.length + document.querySelectorAll("iframe, object, embed, link").length`); n != 2 {
		t.Errorf("%d scripts, pictures and the like", n)
	}
	if s := eval[string](b, `document.body.innerText`); strings.ContainsAny(s, "\u202e\u2066\u200b\u2028\x1b") {
		t.Error("something that cannot be seen is shown")
	}
	b.do(chromedp.Click("#every"), chromedp.WaitVisible("#hits .row"))
	for range 3 {
		b.do(chromedp.Click("#more"))
	}
	if n := eval[int](b, `document.querySelectorAll("#hits .row").length`); n != 800 {
		t.Errorf("%d rows after the fourth page", n)
	}
	if s := eval[string](b, `document.getElementById("hits").innerText`); !strings.Contains(s, evil()[0]) || strings.ContainsAny(s, "\u202e\u200b") {
		t.Error("what the script shows is not text")
	}
	b.quiet()
}

func TestBrowserFilters(t *testing.T) {
	r := thief(t)
	b := open(t, render(t, r))
	found := func() int {
		var shown, all int
		s := strings.ReplaceAll(eval[string](b, `document.getElementById("found").textContent`), ",", "")
		if _, err := fmt.Sscanf(s, "%d of %d", &shown, &all); err != nil && s != "No event is like that." {
			t.Fatalf("%q: %v", s, err)
		}
		return all
	}
	visible := func(id string) bool { return eval[bool](b, `document.getElementById("`+id+`").checkVisibility()`) }
	if visible("results") || !visible("folded") || !visible("filters") {
		t.Error("what is shown at first is not the folded timeline")
	}

	want := 0
	for _, e := range r.events {
		if strings.HasPrefix(string(e.Kind), "file.") {
			want++
		}
	}
	b.do(chromedp.Click(`input[name="kind"][value="2"]`))
	if got := found(); got != want || visible("folded") {
		t.Errorf("%d events of files, want %d", got, want)
	}
	b.do(chromedp.Click("#reset"))
	if visible("results") || !visible("folded") {
		t.Error("the folded timeline is not back")
	}

	proofs := make(map[int64]bool)
	for _, f := range r.report.Findings {
		for _, seq := range f.Evidence {
			proofs[seq] = true
		}
	}
	b.do(chromedp.Click("#proofs"))
	if got := found(); got != len(proofs) {
		t.Errorf("%d events are evidence, want %d", got, len(proofs))
	}
	b.do(chromedp.Click("#reset"), chromedp.SendKeys("#text", "Collector.EXAMPLE"), chromedp.WaitVisible("#hits .row"))
	if rows := eval[[]string](b, `[...document.querySelectorAll("#hits .row")].map((r) => r.textContent)`); len(rows) == 0 || !strings.Contains(rows[0], "collector.example") {
		t.Errorf("the search shows %q", rows)
	}
	b.do(chromedp.Click("#reset"), chromedp.Evaluate[chromedp.Void](`{
		const tool = document.getElementById("tool");
		tool.value = [...tool.options].find((o) => o.text === "convert_units").value;
		tool.dispatchEvent(new Event("change"));
	}`))
	if heads := eval[[]string](b, `[...document.querySelectorAll("#hits .callhead")].map((r) => r.textContent)`); len(heads) == 0 || strings.Contains(strings.Join(heads, ""), "get_weather") {
		t.Errorf("the calls of a tool are %q", heads)
	}
	b.do(chromedp.SendKeys("#text", "no such thing"), chromedp.WaitNotPresent("#hits .row"))
	if found() != 0 {
		t.Error("something was found that is not there")
	}
	b.quiet()
}

// Everything can be reached and used without a mouse.
func TestBrowserKeyboard(t *testing.T) {
	b := open(t, render(t, thief(t)))
	const reachable = `[...document.querySelectorAll("a[href], button, summary, input, select, [tabindex]")].filter((e) => e.checkVisibility())`
	want := eval[int](b, reachable+`.length`)
	b.do(chromedp.Evaluate[chromedp.Void](`window.reached = new Set(); addEventListener("focusin", (e) => reached.add(e.target)); document.activeElement.blur()`))
	b.do(chromedp.KeyEvent(strings.Repeat(kb.Tab, want+5)))
	if missed := eval[[]string](b, reachable+`.filter((e) => !reached.has(e)).map((e) => e.outerHTML.slice(0, 80))`); len(missed) > 0 || want < 50 {
		t.Errorf("%d of %d are not reached: %q", len(missed), want, missed)
	}
	b.do(chromedp.Focus(".finding summary"), chromedp.KeyEvent(kb.Enter))
	if !eval[bool](b, `document.querySelector(".finding details").open && document.querySelector(".finding .fields").checkVisibility()`) {
		t.Error("the evidence does not unfold")
	}
	b.do(chromedp.Focus("#proofs"), chromedp.KeyEvent(" "), chromedp.WaitVisible("#hits .row"))
	b.quiet()
}

// Nothing is wider than the screen, whatever is unfolded.
func TestBrowserWidth(t *testing.T) {
	for name, r := range map[string]run{"thief": thief(t), "hostile": hostile(400)} {
		t.Run(name, func(t *testing.T) {
			b := open(t, render(t, r))
			for _, width := range []int64{320, 390, 760, 1280} {
				b.do(chromedp.EmulateViewport(width, 844))
				for _, unfold := range []string{`0`, `document.querySelectorAll("details").forEach((d) => { d.open = true })`, `document.getElementById("every").click()`} {
					b.do(chromedp.Evaluate[chromedp.Void](unfold))
					if got := eval[int64](b, `document.documentElement.scrollWidth`); got > width {
						t.Errorf("%d wide at %d: %q", got, width, eval[[]string](b, `[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll")).slice(0, 5).map((e) => e.outerHTML.slice(0, 120))`))
					}
				}
				b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("reset").click(); document.querySelectorAll("details").forEach((d) => { d.open = false })`))
			}
			b.quiet()
		})
	}
}

// In print everything that matters is unfolded, and nothing asks for a click.
func TestBrowserPrint(t *testing.T) {
	b := open(t, render(t, composed(thief(t), 300)))
	b.do(chromedp.Click("#proofs")) // a filter must not be printed
	b.media("print", "dark")
	for _, selector := range []string{"nav", "#filters", "#results", ".copy button", "#theme"} {
		if eval[bool](b, `document.querySelector("`+selector+`").checkVisibility()`) {
			t.Errorf("%s is printed", selector)
		}
	}
	for _, selector := range []string{"#verdict", ".finding .fields", "#folded .row", "#coverage", ".access tbody tr", "#files .node", ".powers tbody tr", ".advisories tbody tr"} {
		if !eval[bool](b, `document.querySelector("`+selector+`").checkVisibility({contentVisibilityAuto: true})`) {
			t.Errorf("%s is not printed", selector)
		}
	}
	if ground := eval[string](b, `getComputedStyle(document.body).backgroundColor`); ground != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s", ground)
	}
	folded := eval[int](b, `document.querySelectorAll("details[open]").length`)
	pdf, err := chromedp.Call(b, page.PrintToPDF, page.PrintToPDFParams{})
	if err != nil || len(pdf.Data) < 50_000 {
		t.Errorf("%d bytes of paper, %v", len(pdf.Data), err)
	}
	if after := eval[int](b, `document.querySelectorAll("details[open]").length`); after != folded {
		t.Errorf("%d are unfolded after printing, %d before", after, folded)
	}
	b.quiet()
}

// The colours are the system's until the reader chooses; nothing is stored.
func TestBrowserThemes(t *testing.T) {
	b := open(t, render(t, thief(t)))
	ground := func() string { return eval[string](b, `getComputedStyle(document.body).backgroundColor`) }
	b.media("", "light")
	light := ground()
	b.media("", "dark")
	dark := ground()
	if light == dark {
		t.Errorf("both are %s", light)
	}
	b.do(chromedp.Click("#theme"))
	if got := ground(); got != light {
		t.Errorf("the reader's choice is %s", got)
	}
	b.do(chromedp.Click("#theme"))
	if got := ground(); got != dark {
		t.Errorf("the second choice is %s", got)
	}
	if n := eval[int](b, `localStorage.length + sessionStorage.length + document.cookie.length`); n != 0 {
		t.Error("something is remembered")
	}
	b.quiet()
}

// The button copies the call as it is sent.
func TestBrowserCopy(t *testing.T) {
	r := thief(t)
	b := open(t, render(t, r))
	b.do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = async (s) => { window.copied = s }`), chromedp.Click(".finding .copy button"))
	if got := eval[string](b, `window.copied`); got != r.report.Findings[0].Reproduce {
		t.Errorf("copied: %s", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = () => Promise.reject(new Error("no"))`), chromedp.Click("#repeat .copy button"))
	if got := eval[string](b, `getSelection().toString()`); got != "mcpsf assess examples/thief-python --seed 7" {
		t.Errorf("selected: %s", got)
	}
	b.quiet()
}

// Without its script the page shows everything but the filters.
func TestBrowserWithoutScript(t *testing.T) {
	page := regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAll(render(t, composed(thief(t), 300)), nil)
	b := open(t, page)
	b.do(chromedp.Click(".finding summary"), chromedp.WaitVisible(".finding .fields"), chromedp.WaitVisible("#folded .row"))
	if n := eval[int](b, `[...document.querySelectorAll("button, input, select")].filter((e) => e.checkVisibility()).length`); n != 0 {
		t.Errorf("%d things that do nothing can be used", n)
	}
	b.quiet()
}
