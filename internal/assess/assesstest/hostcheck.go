//go:build linux

package assesstest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// HostCheck runs the cases of one test, several at a time. After the last one it
// fails the test if a run left anything on the host: processes, mounts,
// namespaces, files, cgroups. It checks the whole machine, so the test itself
// must not be parallel.
type HostCheck struct {
	// Base is the directory for the runs' files, and for a home that a test can
	// use.
	Base string
	mu   sync.Mutex
	runs []string // the ids of all runs
}

// NewHostCheck records the state of the host.
func NewHostCheck(t *testing.T) *HostCheck {
	t.Helper()
	sandboxtest.Require(t)
	h := &HostCheck{Base: t.TempDir()}
	home := filepath.Join(h.Base, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte("; the host's own\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := sandboxtest.Snapshot(t, h.Base)
	t.Cleanup(func() { host.Unchanged(t, h.runs...) }) // after the last case
	return h
}

// In sets where the runs keep their files.
func (h *HostCheck) In(o *assess.Options) { o.Caller.TempDir = filepath.Join(h.Base, "runs") }

// Ran records a run whose remains are looked for at the end.
func (h *HostCheck) Ran(r *assess.Result) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs = append(h.runs, r.Report.Run.ID)
}

// Python assesses a server as [Python] does.
func (h *HostCheck) Python(t *testing.T, body string, settings ...Setting) *assess.Result {
	t.Helper()
	r := Python(t, body, append([]Setting{h.In}, settings...)...)
	h.Ran(r)
	if r.Report.Verdict.Band == mcpsf.BandPass && len(LimitsHit(r)) > 0 {
		t.Errorf("PASS although limits were hit: %s", Explain(r))
	}
	return r
}
