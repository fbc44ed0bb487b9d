package page_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// workAs takes jobs like a worker, reports the events of a stored run, and
// stores its files. Each step waits for a value on next.
func (w *world) workAs(runs func(source string) stored, next <-chan struct{}) {
	w.beside(func(ctx context.Context) {
		wait := func() bool {
			select {
			case <-next:
				return true
			case <-ctx.Done():
				return false
			}
		}
		for wait() {
			var c *store.Claim
			for c == nil && ctx.Err() == nil {
				var err error
				if c, err = w.store.Claim(ctx, "worker-1", time.Minute); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			if ctx.Err() != nil || !wait() {
				return
			}
			s := runs(c.Job.Request.Source)
			w.progress(c, job.Progress{Percent: 40, Step: "drive", Text: "get_weather"})
			for _, e := range s.events[:min(600, len(s.events))] {
				w.tell(c, map[string]any{"event": e})
			}
			if !wait() {
				return
			}
			w.leave(c, s)
		}
	})
}

// Sign in with the printed link, submit, watch the run end, read the report,
// compare it with the next version.
func TestBrowserJourney(t *testing.T) {
	w := newWorld(t)
	s := thief(t)
	next := make(chan struct{})
	w.workAs(func(source string) stored {
		if strings.HasSuffix(source, "@1.0.0") {
			return honest(s, "weather", "1.0.0")
		}
		return named(s, "weather", "1.1.0", "CRITICAL", 100)
	}, next)
	b := w.browse()
	b.open("/history?q=weather")
	b.until(`location.pathname === "/sign-in" && document.readyState === "complete"`)
	b.signIn("alpha submitter")
	if address := eval[string](b, `location.href + document.referrer`); strings.Contains(address, "mcpsf_") {
		t.Errorf("the key is in the address: %s", address)
	}
	var runs []string
	for _, version := range []string{"1.0.0", "1.1.0"} {
		b.open("/")
		b.do(chromedp.SendKeys("#source", "npm:weather@"+version), chromedp.Click(`#submit button[type="submit"]`))
		b.until(`location.pathname.startsWith("/runs/") && document.querySelector("#step")?.textContent === "queued"`)
		runs = append(runs, strings.TrimPrefix(eval[string](b, `location.pathname`), "/runs/"))
		next <- struct{}{} // the job is claimed
		b.until(`document.querySelector("#step").textContent === "started"`)
		next <- struct{}{} // it reports events
		b.until(`document.querySelector("#step").textContent === "drive" && document.querySelector("#bar").value === 40 && document.querySelectorAll(".row").length > 5`)
		b.until(`document.querySelector('[data-count="processes"]').textContent !== "0" && document.querySelector("#tree code").textContent.includes("python3")`)
		if version == "1.1.0" {
			b.until(`document.querySelector("#peers").textContent.includes("collector.example:443")`)
			b.until(`Number(document.querySelector('[data-count="bad"]').textContent) > 0 && document.querySelector("#timeline").textContent.includes("/home/dev/.ssh/id_rsa")`)
		}
		next <- struct{}{} // it ends
		b.until(`document.querySelector(".band span")?.textContent === "` + map[string]string{"1.0.0": "PASS", "1.1.0": "CRITICAL"}[version] + `"`)
	}
	// The report is in a frame with an origin of its own, and is shown.
	b.do(chromedp.ScrollIntoView("iframe"))
	b.framed(`The report`)
	if eval[bool](b, `(() => { try { return !!document.querySelector("iframe").contentDocument } catch { return false } })()`) {
		t.Error("the report is of our origin")
	}
	b.do(chromedp.Click(`.does form button`))
	b.until(`location.pathname === "/compare" && document.readyState === "complete"`)
	if text := eval[string](b, `document.querySelector("main").innerText`); !strings.Contains(text, "secret-exfiltration") || !strings.Contains(text, "npm:weather@1.0.0") {
		t.Errorf("%s", text)
	}
	// The same from the history page.
	b.open("/history")
	if !eval[bool](b, `document.querySelector("#choose button").disabled`) {
		t.Error("no run is selected and Compare is enabled")
	}
	for _, id := range runs {
		b.do(chromedp.Click(`input[value="` + id + `"]`))
	}
	b.do(chromedp.Click(`#choose button`))
	b.until(fmt.Sprintf(`location.pathname + location.search === "/compare?new=%s&old=%s"`, runs[1], runs[0]))
	b.open("/packages/weather")
	if n := eval[int](b, `document.querySelectorAll(".plot .dot").length`); n != 2 {
		t.Errorf("%d dots", n)
	}
	b.quiet()
	b.do(chromedp.Click(`.who button`))
	b.until(`location.pathname === "/sign-in"`)
}

// framed waits until the report in the frame has loaded: only its own script
// shows the filters.
func (b *tab) framed(title string) {
	b.w.Helper()
	for b.Err() == nil {
		targets, err := chromedp.Targets(b)
		if err != nil {
			b.w.Fatal(err)
		}
		for _, t := range targets {
			if strings.Contains(t.URL, "/report?format=html") {
				ctx, cancel := chromedp.NewContext(b, chromedp.WithTargetID(t.TargetID), chromedp.WithDetachOnCancel())
				ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`!!document.querySelector("#verdict") && !document.querySelector("#filters").hidden && self.origin === "null"`))
				cancel()
				if err == nil && ok {
					return
				}
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.w.Fatalf("%s is not shown", title)
}

// Everything can be done without a mouse.
func TestBrowserKeyboard(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.open("/sign-in")
	b.until(`document.activeElement.id === "key"`)
	b.do(chromedp.KeyEvent(w.keys["alpha submitter"]), chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname === "/" && document.activeElement.id === "source"`)
	focus := func() string {
		return eval[string](b, `document.activeElement.id || document.activeElement.name || document.activeElement.textContent`)
	}
	b.do(chromedp.KeyEvent("npm:weather@1.0.0"))
	var order []string
	for range 40 {
		b.do(chromedp.KeyEvent(kb.Tab))
		name := focus()
		again := slices.Contains(order, name)
		order = append(order, name)
		if outline := eval[string](b, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
			t.Errorf("nothing shows that %s has the focus", name)
		}
		switch {
		case again:
		case name == "profile":
			b.do(chromedp.KeyEvent("safe"))
		case name == "add-variable":
			b.do(chromedp.KeyEvent(" "), chromedp.KeyEvent("TOKEN"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("value"))
		case name == "force":
			b.do(chromedp.KeyEvent(" "))
		}
		if eval[bool](b, `document.activeElement.type === "submit" && document.activeElement.form?.id === "submit"`) {
			break
		}
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname.startsWith("/runs/") && document.readyState === "complete"`)
	id := strings.TrimPrefix(eval[string](b, `location.pathname`), "/runs/")
	j, err := w.store.Job(t.Context(), "alpha", id)
	if err != nil {
		t.Fatalf("%v after %q", err, order)
	}
	if _, ok := j.Request.Env["TOKEN"]; !ok || j.Request.Profile != "safe" || j.Request.Source != "npm:weather@1.0.0" {
		t.Errorf("%+v after %q", j.Request, order)
	}
	// The first link of a page skips the navigation.
	b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.id === "main"`)
	for range 10 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if eval[string](b, `document.activeElement.textContent`) == "Cancel" {
			break
		}
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector(".band span")?.textContent === "cancelled"`)
	b.quiet()
}

// A host name without TLS, where browsers send less about the origin of a request.
func TestBrowserWithoutTLS(t *testing.T) {
	w := newWorld(t)
	b := w.browse(chromedp.Flag("host-resolver-rules", "MAP mcpsf.example 127.0.0.1"))
	b.base = "http://mcpsf.example" + w.at.URL[strings.LastIndexByte(w.at.URL, ':'):]
	b.signIn("alpha submitter")
	b.do(chromedp.SendKeys("#source", "npm:weather@1.0.0"), chromedp.Click(`#submit button[type="submit"]`))
	b.until(`location.pathname.startsWith("/runs/") && document.querySelector("#step")?.textContent === "queued"`)
}

// A user who follows a link from another site keeps the session.
func TestBrowserFromElsewhere(t *testing.T) {
	w := newWorld(t)
	id := w.queue(job.Request{Source: "npm:a"})
	b := w.browse(chromedp.Flag("host-resolver-rules", "MAP mcpsf.example 127.0.0.1"))
	b.signIn("alpha reader")
	here := b.base
	b.base = "http://mcpsf.example" + w.at.URL[strings.LastIndexByte(w.at.URL, ':'):]
	b.open("/sign-in")
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const a = document.createElement("a"); a.href = "` + here + `/runs/` + id + `"; document.body.append(a); a.click() })()`))
	b.until(`location.pathname === "/runs/` + id + `"`)
}

// If the stream breaks, the page continues where it was.
func TestBrowserReconnects(t *testing.T) {
	w := newWorld(t)
	s := thief(t)
	id := w.queue(job.Request{Source: "npm:a"})
	c := w.claim("w")
	tell := func(from, to int) {
		for _, e := range s.events[from:to] {
			w.tell(c, map[string]any{"event": e})
		}
	}
	tell(0, 100)
	b := w.browse()
	b.signIn("alpha reader")
	b.open("/runs/" + id)
	count := func(n int) {
		total := int64(0)
		for _, e := range s.events[:n] {
			total += max(e.Count, 1)
		}
		b.until(fmt.Sprintf(`document.querySelector('[data-count="events"]').textContent.replaceAll(",", "") === "%d"`, total))
	}
	count(100)
	w.at.CloseClientConnections()
	tell(100, 200)
	count(200)
	b.until(`document.querySelector("#broken").hidden`)
	// Another worker starts over.
	w.finish(c, &store.Outcome{State: job.Queued})
	b.until(`document.querySelector("#step").textContent === "queued"`)
	c = w.claim("w2")
	tell(0, 50)
	count(50)
}

// What a call does after its response is shown under that call, however many
// others have begun; and a run with many events does not fill the browser.
func TestBrowserTimeline(t *testing.T) {
	w := newWorld(t)
	id := w.queue(job.Request{Source: "npm:a"})
	c := w.claim("w")
	seq := int64(0)
	event := func(e mcpsf.Event) map[string]any {
		seq++
		e.Seq, e.T = seq, float64(seq)/100
		return map[string]any{"event": e}
	}
	called := func(call, tool string) map[string]any {
		return event(mcpsf.Event{Phase: mcpsf.PhaseDrive, Call: call, Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: tool}})
	}
	opened := func(phase mcpsf.Phase, call string) map[string]any {
		return event(mcpsf.Event{Phase: phase, Call: call, PID: 1, Proc: "node", Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: fmt.Sprintf("/home/dev/%d", seq+1), Flags: "r"}})
	}
	w.tell(c, called("c1", "first"), called("c2", "second"), opened(mcpsf.PhaseIdle, "c1"), opened(mcpsf.PhaseDrive, "c2"))
	b := w.browse()
	b.signIn("alpha reader")
	b.open("/runs/" + id)
	b.until(`document.querySelectorAll(".row").length === 2`)
	heads := eval[[]string](b, `[...document.querySelectorAll(".group")].filter((g) => g.querySelector(".row")).map((g) => g.querySelector(".grouphead").textContent + g.querySelector(".w").textContent)`)
	if len(heads) != 2 || !strings.HasPrefix(heads[0], "c1 first after its response") || !strings.HasSuffix(heads[0], "/home/dev/3") || !strings.HasPrefix(heads[1], "c2 second drive") {
		t.Errorf("%q", heads)
	}
	for range 26 {
		var lines []any
		for range 100 {
			lines = append(lines, opened(mcpsf.PhaseDrive, "c2"))
		}
		w.tell(c, lines...)
	}
	b.until(`document.querySelector("#timeline").textContent.includes("/home/dev/2604")`)
	if n := eval[int](b, `document.querySelectorAll(".row").length`); n > 2000 || n < 1000 {
		t.Errorf("%d rows are kept", n)
	}
	b.until(`(() => { const l = document.querySelector("#timeline"); return l.scrollHeight - l.scrollTop - l.clientHeight < 2 })()`)
	// The page does not scroll while the user looks at older events.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#timeline").scrollTop = 0`))
	b.until(`!document.querySelector("#follow").hidden`)
	w.tell(c, opened(mcpsf.PhaseDrive, "c2"))
	b.until(`document.querySelector("#timeline").textContent.includes("/home/dev/2605")`)
	if top := eval[float64](b, `document.querySelector("#timeline").scrollTop`); top > 100 {
		t.Errorf("it is at %f", top)
	}
	b.do(chromedp.Click("#follow button"))
	b.until(`document.querySelector("#follow").hidden`)
	b.quiet()
}

// A hidden tab holds no connection, and is updated when it is shown again.
func TestBrowserHidden(t *testing.T) {
	w := newWorld(t)
	id := w.queue(job.Request{Source: "npm:a"})
	c := w.claim("w")
	b := w.browse()
	b.signIn("alpha reader")
	b.open("/runs/" + id)
	w.progress(c, job.Progress{Percent: 10, Step: "install"})
	b.until(`document.querySelector("#step").textContent === "install"`)
	hide := func(hidden string) {
		b.do(chromedp.Evaluate[chromedp.Void](`(() => { Object.defineProperty(document, "hidden", { value: ` + hidden + `, configurable: true }); document.dispatchEvent(new Event("visibilitychange")) })()`))
	}
	streams := func() string {
		return between(w.get("", "/metrics").text, "\nmcpsf_event_streams ", "\n")
	}
	if n := streams(); n != "1" {
		t.Fatalf("%s streams", n)
	}
	hide("true")
	for b.Err() == nil && streams() != "0" {
		time.Sleep(50 * time.Millisecond)
	}
	w.progress(c, job.Progress{Percent: 20, Step: "drive"})
	hide("false")
	b.until(`document.querySelector("#step").textContent === "drive"`)
	hide("true")
	for b.Err() == nil && streams() != "0" {
		time.Sleep(50 * time.Millisecond)
	}
	w.finish(c, failedWith("it broke"))
	hide("false")
	b.until(`document.querySelector(".band span")?.textContent === "failed"`)
	b.quiet()
}
