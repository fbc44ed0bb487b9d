//go:build linux

package install

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// A second assessment of the same version needs no network, and reports the
// events of the installation as if it happened today.
func installFromTheCacheOffline(t *testing.T, h *assesstest.HostCheck) {
	for _, tt := range []struct {
		name, source string
		publish      func(t *testing.T, r *assesstest.Registry)
	}{
		{"npm", "npm:case-server", func(t *testing.T, r *assesstest.Registry) { publishNode(t, r, evilNode, nil) }},
		{"PyPI", "pypi:case-server", func(t *testing.T, r *assesstest.Registry) { publishBackend(t, r, evilPython) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assesstest.Sometimes(t, tt.name, "npm")
			r, kept := assesstest.NewRegistry(t), assesstest.NewCache(t)
			tt.publish(t, r)
			first := install(t, h, r, tt.source, kept)
			worked(t, first)
			r.Close()
			second := install(t, h, r, tt.source, kept)
			worked(t, second)
			if a, b := first.Report.Installation.Cached, second.Report.Installation.Cached; a || !b {
				t.Errorf("cached: %v, then %v", a, b)
			}
			if o := second.Report.Artifact.Origin; o == nil || !o.Offline {
				t.Errorf("origin %+v", o)
			}
			wantFindings(t, second, thefts...)
			if diff := cmp.Diff(assesstest.Stable(first), assesstest.Stable(second)); diff != "" {
				t.Errorf("the second run finds something else (-first +second):\n%s", diff)
			}
			installing := func(e *mcpsf.Event) bool { return e.Phase == mcpsf.PhaseInstall }
			if diff := cmp.Diff(assesstest.EventsOf(first, installing), assesstest.EventsOf(second, installing)); diff != "" {
				t.Errorf("the events of the installation differ (-first +second):\n%s", diff)
			}
			for i, e := range second.Events {
				if e.Seq != int64(i+1) {
					t.Fatalf("event %d has number %d", i+1, e.Seq)
				}
			}
		})
	}
}

// Assessments of the same package at the same time: one installation, equal
// results.
func TestInstallConcurrently(t *testing.T) {
	runs := 4
	if assesstest.Nightly() {
		runs = 10
	}
	r, kept := assesstest.NewRegistry(t), assesstest.NewCache(t)
	r.PublishPyPI("case-part", "case_part-1.0.0-py3-none-any.whl", assesstest.Wheel(t, "case_part", assesstest.Files{"case_part.py": "x = 1\n"}))
	line := "import os; open(os.path.expanduser('~/.npmrc')).read()\n"
	r.PublishPyPI("case-server", "case_server-1.0.0-py3-none-any.whl", assesstest.WheelServer(t, assesstest.Files{"evil.pth": line}, "case-part"))
	sandboxtest.Require(t)
	base := t.TempDir()
	client := r.Client(t)
	host := sandboxtest.Snapshot(t, base)
	results := make([]*assess.Result, runs)
	var all sync.WaitGroup
	for i := range runs {
		opts := assesstest.Options(t, "pypi:case-server", func(o *assess.Options) {
			o.Sources.Registry, o.Sources.Cache, o.Caller.TempDir = client, kept, filepath.Join(base, "runs")
		})
		all.Go(func() {
			var err error
			if results[i], err = assess.Assess(t.Context(), opts); err != nil {
				t.Errorf("run %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	client.Close()
	var ids []string
	built := 0
	for i, result := range results {
		ids = append(ids, result.Report.Run.ID)
		worked(t, result)
		if !result.Report.Installation.Cached {
			built++
		}
		if diff := cmp.Diff(assesstest.Stable(results[0]), assesstest.Stable(result)); diff != "" {
			t.Errorf("run %d differs (-first +this):\n%s", i, diff)
		}
		ignore := cmpopts.IgnoreFields(mcpsf.Installation{}, "Cached")
		if diff := cmp.Diff(results[0].Report.Installation, result.Report.Installation, ignore); diff != "" {
			t.Errorf("run %d was installed differently (-first +this):\n%s", i, diff)
		}
	}
	if n := r.Downloads("case_part-1.0.0-py3-none-any.whl"); n != 1 || built != 1 {
		t.Errorf("%d installations fetched what is needed %d times, want one each", built, n)
	}
	host.Unchanged(t, ids...)
}
