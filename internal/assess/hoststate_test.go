//go:build linux

package assess

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// hostCheck runs the cases of one test, several at a time. After the last one it
// fails the test if a run left anything on the host: processes, mounts,
// namespaces, files, cgroups. It checks the whole machine, so the test itself
// must not be parallel.
type hostCheck struct {
	// base is the directory for the runs' files, and for a home that a test can
	// use.
	base string
	mu   sync.Mutex
	runs []string // the ids of all runs
}

func newHostCheck(t *testing.T) *hostCheck {
	t.Helper()
	sandboxtest.Require(t)
	h := &hostCheck{base: t.TempDir()}
	home := filepath.Join(h.base, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte("; the host's own\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := sandboxtest.Snapshot(t, h.base)
	t.Cleanup(func() { host.Unchanged(t, h.runs...) }) // after the last case
	return h
}

// in sets where the runs keep their files.
func (h *hostCheck) in(o *Options) { o.Caller.TempDir = filepath.Join(h.base, "runs") }

// ran records a run whose remains are looked for at the end.
func (h *hostCheck) ran(r *Result) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs = append(h.runs, r.Report.Run.ID)
}

// assess assesses a Python case.
func (h *hostCheck) assess(t *testing.T, body string, settings ...setting) *Result {
	t.Helper()
	r := pythonCase(t, body, append([]setting{h.in}, settings...)...)
	h.ran(r)
	if r.Report.Verdict.Band == mcpsf.BandPass && len(limitsHit(r)) > 0 {
		t.Errorf("PASS although limits were hit: %s", explain(r))
	}
	return r
}

// holding sets limits; zero values keep the default.
func holding(l box.Limits) setting { return func(o *Options) { o.Sandbox.Limits = l } }

// limitsHit returns the limit.hit events by the name of the limit.
func limitsHit(r *Result) map[string]mcpsf.LimitDetail {
	found := map[string]mcpsf.LimitDetail{}
	for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindLimitHit }) {
		found[e.Limit.Name] = *e.Limit
	}
	return found
}

// wantLimit fails the test unless the limit was hit with that action, in an
// event and in the coverage, and is reported as a finding.
func wantLimit(t *testing.T, r *Result, name, action string) mcpsf.LimitDetail {
	t.Helper()
	hit, ok := limitsHit(r)[name]
	if !ok || hit.Action != action {
		t.Errorf("want the limit %q to be hit (%s), got %+v; %s", name, action, limitsHit(r), explain(r))
	}
	for _, l := range r.Report.Coverage.Limits {
		if l.Name == name && !l.Hit {
			t.Errorf("the coverage does not say that %q was hit", name)
		}
	}
	return hit
}

// said returns the text that a tool returned.
func said(t *testing.T, r *Result, tool string) string {
	t.Helper()
	call := callOf(t, r, tool)
	for _, e := range eventsOf(r, func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindMCPResponse && e.Call == call
	}) {
		return string(e.MCP.Body)
	}
	t.Fatalf("%s was not answered; %s; calls %s", tool, explain(r), calledAs(r))
	return ""
}

// number reads "name=123" from the text that a tool returned.
func number(t *testing.T, text, name string) int64 {
	t.Helper()
	var n int64
	_, rest, ok := strings.Cut(text, name+"=")
	if _, err := fmt.Sscan(rest, &n); !ok || err != nil {
		t.Fatalf("no number %s in %s", name, text)
	}
	return n
}

func calledAs(r *Result) string {
	var b strings.Builder
	for _, c := range r.Report.Session.Calls {
		fmt.Fprintf(&b, "%s %s %s: %s %.1f s %s; ", c.ID, c.Method, c.Tool, c.Status, c.Seconds, c.Note)
	}
	return b.String()
}
