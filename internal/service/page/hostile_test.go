package page_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// marker is in every string of a hostile run, to find the target's text in a page.
const marker = "zqx"

// evil are hostile names.
func evil() []string {
	return []string{
		marker + `"><img src=x onerror=window.pwned=1><script>window.pwned=1</script>`,
		"javascript:window.pwned=1//" + marker,
		marker + `' onfocus=window.pwned=1 autofocus='`,
		marker + `</script><!--<script>`,
		marker + `{{.}}</style><style>*{display:none}`,
		marker + "\u202egnp.exe\u2066\u200b\u2028\x1b[31m",
		marker + strings.Repeat("W", 300),
	}
}

// fill sets the strings below v, one after another.
func fill(v reflect.Value, next func() string, depth int) {
	if depth > 8 {
		return
	}
	switch v.Interface().(type) {
	case json.RawMessage:
		data, _ := json.Marshal(map[string]any{next(): []string{next()}})
		v.SetBytes(data)
		return
	case time.Time:
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(next())
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(2)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(3)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 7, 7))
		for i := range v.Len() {
			fill(v.Index(i), next, depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), next, depth+1)
			}
		}
	}
}

// hostile is a run in which every string is hostile.
func hostile(from int) stored {
	i := from
	next := func() string { i++; return evil()[i%len(evil())] }
	r := &mcpsf.Report{}
	fill(reflect.ValueOf(r).Elem(), next, 0)
	r.SchemaVersion, r.Verdict.Score = mcpsf.SchemaVersion, 77
	for j := range r.Findings {
		r.Findings[j].Severity, r.Findings[j].Evidence = mcpsf.SeverityHigh, []int64{1, 2}
		r.Findings[j].Fingerprint = fmt.Sprint(from, j)
	}
	for j := range r.Accesses {
		r.Accesses[j].Kind, r.Accesses[j].Name = mcpsf.AccessHost, fmt.Sprint(r.Accesses[j].Name, from)
	}
	for j := range r.Session.Tools {
		r.Session.Tools[j].Name += fmt.Sprint(from, j)
	}
	s := stored{report: r}
	details := reflect.TypeFor[mcpsf.Event]()
	kinds := []mcpsf.Kind{
		mcpsf.KindSandboxStart, mcpsf.KindMCPRequest, mcpsf.KindProcessFork, mcpsf.KindProcessExec, mcpsf.KindFileOpen, mcpsf.KindNetConnect, mcpsf.KindNetDNS, mcpsf.KindNetHTTP,
		mcpsf.KindCanaryRead, mcpsf.KindCanaryLeak, mcpsf.KindEnvRead, mcpsf.KindMCPStderr, mcpsf.KindPrivilegeAttempt, mcpsf.KindProcessExit, mcpsf.Kind(marker + "<b>." + marker),
	}
	for n := range 10 * len(kinds) {
		kind := kinds[n%len(kinds)]
		e := mcpsf.Event{Seq: int64(n + 1), T: float64(n) / 10, Kind: kind, Proc: next(), PID: 1 + n%9, PPID: n % 5, Phase: mcpsf.Phase(next())}
		family, _, _ := strings.Cut(string(kind), ".")
		for j := range details.NumField() {
			name, _, _ := strings.Cut(details.Field(j).Tag.Get("json"), ",")
			if details.Field(j).Type.Kind() == reflect.Pointer && (name == family || strings.HasSuffix(string(kind), name)) {
				fill(reflect.ValueOf(&e).Elem().Field(j), next, 0)
			}
		}
		if p := e.Process; p != nil {
			p.Thread, p.Child, p.Error = false, 1+(n+1)%9, ""
		}
		if d := e.MCP; d != nil {
			d.FromServer = false
		}
		if n%3 > 0 {
			e.Call = fmt.Sprint(next(), n%5)
		}
		s.events = append(s.events, e)
	}
	return s
}

// hostileWorld has a job in each state, with hostile strings everywhere. It
// returns the URLs of all pages.
func hostileWorld(t *testing.T) (w *world, pages []string, running *store.Claim) {
	t.Helper()
	w = newWorld(t)
	bad := evil()[0]
	w.addKey("alpha", bad, job.Admin)
	w.addKey(bad, bad, job.Admin)
	request := func(i int) job.Request {
		e := evil()
		s := func(n int) string { return e[(i+n)%len(e)] }
		return job.Request{
			Source: s(0), ArchiveName: s(1), Command: []string{s(2), s(3)}, Args: []string{s(4)}, Profile: s(5), Detectors: []string{s(6)}, Env: map[string]string{s(0): ""},
			Options: job.Options{Network: s(1), Image: s(2), Timeout: s(3), Memory: s(4)},
		}
	}
	pages = append(pages, "/runs/"+w.done("npm:weather@1.0.0", thief(t)))
	archive := request(0)
	archive.Source, archive.Archive = "", "00"
	var done []string
	for i := range evil() {
		id := w.queue(request(i))
		s := hostile(i)
		s.report.Artifact.Name, s.report.Verdict.Band = bad, mcpsf.Band(evil()[i%len(evil())])
		w.leave(w.claim(bad), s)
		done = append(done, id)
		pages = append(pages, "/runs/"+id)
	}
	for _, state := range []job.State{job.Failed, job.Quarantined} {
		id := w.queue(request(1))
		c := w.claim(bad)
		for _, e := range hostile(1).events {
			w.tell(c, map[string]any{"event": e})
		}
		w.tell(c, map[string]any{"note": bad})
		w.finish(c, &store.Outcome{State: state, Problem: &job.Problem{Code: mcpsf.Code(bad), Message: bad}})
		pages = append(pages, "/runs/"+id)
	}
	pages = append(pages, "/runs/"+w.queue(archive))
	running = w.claim(bad)
	waiting := w.queue(request(0))
	pages = append(pages, "/runs/"+waiting, "/", "/?again="+done[0], "/?again="+waiting, "/history", "/compare?old="+done[0]+"&new="+done[1],
		"/packages/"+strings.ReplaceAll(strings.ReplaceAll(pathEscape(bad), "+", "%20"), "/", "%2F"), "/rules?q="+pathEscape(bad), "/keys",
		"/history?q="+pathEscape(bad), "/history?name="+pathEscape(bad), "/history?state="+pathEscape(bad), "/sign-in?next="+pathEscape(bad), "/runs/"+pathEscape(bad), "/?source="+pathEscape(bad))
	return w, pages, running
}

// Whatever an attacker wrote, on no page does any of it run, load or look like
// ours.
func TestBrowserHostile(t *testing.T) {
	w, pages, running := hostileWorld(t)
	b := w.browse()
	b.signIn("alpha admin")
	bad := evil()[0]
	w.progress(running, job.Progress{Percent: 40, Step: bad, Text: bad})
	w.tell(running, map[string]any{"note": bad})
	for _, e := range hostile(0).events {
		w.tell(running, map[string]any{"event": e})
	}
	seen := 0
	for _, path := range append(pages, "/runs/"+running.Job.ID) {
		b.open(path)
		if eval[bool](b, `!!document.querySelector("[data-live], [data-told]")`) && path != "/runs/"+pathEscape(bad) {
			if strings.HasSuffix(path, running.Job.ID) || eval[bool](b, `"told" in document.querySelector("[data-page]").dataset`) {
				b.until(`document.querySelectorAll(".row").length > 20 && document.querySelectorAll("#tree li").length > 3 && document.querySelectorAll("#peers tr").length > 1 && document.querySelector("#notes li")`)
			}
		}
		if frames := eval[int](b, `document.querySelectorAll("iframe").length`); frames > 0 {
			eval[bool](b, `document.querySelector("iframe").scrollIntoView(), true`)
		}
		if text := eval[string](b, `document.body.innerText`); strings.Contains(text, marker) {
			seen++
		}
		if eval[bool](b, `window.pwned !== undefined`) {
			t.Errorf("%s: a script of an enemy ran", path)
		}
		if found := eval[[]string](b, `[...document.querySelectorAll("main *")].filter((e) => e.tagName === "IMG" || e.tagName === "SCRIPT" || e.tagName === "STYLE" ||
			[...e.attributes].some((a) => a.name.startsWith("on") || a.name === "style" || /^(href|src|action)$/.test(a.name) && !/^[/#]/.test(a.value))).map((e) => e.outerHTML.slice(0, 200))`); len(found) > 0 {
			t.Errorf("%s: %q", path, found)
		}
		if !eval[bool](b, `document.querySelector("main h1").getClientRects().length > 0`) {
			t.Errorf("%s: what is ours is not to be seen", path)
		}
	}
	if seen < len(pages)-5 {
		t.Errorf("only %d of %d pages show what an enemy wrote", seen, len(pages))
	}
	// Missing pages and invalid searches write errors to the console.
	for _, s := range b.console() {
		if !strings.Contains(s, "Failed to load resource: the server responded with a status of 40") {
			t.Errorf("the console says %q", s)
		}
	}
	b.quiet()
}
