//go:build linux

package assess

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// contained assesses a Python case and fails the test if anything of the run
// is left on the host: processes, mounts, namespaces, files, cgroups.
func contained(t *testing.T, body string, settings ...setting) *Result {
	t.Helper()
	base := t.TempDir()
	settings = append([]setting{func(o *Options) { o.TempDir = filepath.Join(base, "runs") }}, settings...)
	host := sandboxtest.Snapshot(t, base)
	r := pythonCase(t, body, settings...)
	host.Unchanged(t, r.Report.Run.ID)
	if r.Report.Verdict.Band == mcpsf.BandPass && len(limitsHit(r)) > 0 {
		t.Errorf("PASS although limits were hit: %s", explain(r))
	}
	return r
}

// holding sets limits; what is zero keeps its default.
func holding(l box.Limits) setting { return func(o *Options) { o.Limits = l } }

// limitsHit are the limit.hit events by the name of the limit.
func limitsHit(r *Result) map[string]mcpsf.LimitDetail {
	found := map[string]mcpsf.LimitDetail{}
	for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindLimitHit }) {
		found[e.Limit.Name] = *e.Limit
	}
	return found
}

// wantLimit fails the test unless the limit was hit with that action, in an
// event and in the coverage, and is told as a finding.
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

// said is the text a tool returned.
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

// number reads "name=123" out of what a tool returned.
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
