//go:build linux

package assess_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

func TestExamplesBenign(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"notes-node", "notes-python"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := assesstest.Assess(t, assesstest.Example(t, name))
			assesstest.Complete(t, r)
			if v := r.Report.Verdict; v.Band != mcpsf.BandPass || v.Score != 0 {
				t.Errorf("verdict %+v", v)
			}
			if len(r.Report.Findings) != 0 {
				t.Errorf("findings on a benign server: %+v", r.Report.Findings)
			}
			if c := r.Report.Coverage.Calls; c.Reached != c.Tools || c.Tools == 0 || c.Timeout+c.Crashed != 0 {
				t.Errorf("calls %+v", c)
			}
		})
	}
}

func TestExamplesThieves(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"thief-node", "thief-python"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := assesstest.Assess(t, assesstest.Example(t, name))
			assesstest.Complete(t, r)
			if b := r.Report.Verdict.Band; b != mcpsf.BandHigh && b != mcpsf.BandCritical {
				t.Errorf("verdict %+v", r.Report.Verdict)
			}
			call := assesstest.CallOf(t, r, "get_weather")
			stolen := map[string]bool{}
			for _, e := range assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindCanaryRead }) {
				if e.Call != call {
					t.Errorf("event %d: theft in call %q, want %q", e.Seq, e.Call, call)
				}
				stolen[e.Canary.Source] = true
			}
			want := map[string]bool{mcpsf.Home + "/.aws/credentials": true, mcpsf.Home + "/.ssh/id_rsa": true}
			if diff := cmp.Diff(want, stolen); diff != "" {
				t.Errorf("stolen (-want +got):\n%s", diff)
			}
			for _, f := range r.Report.Findings {
				if f.ID == "decoy-read" && (f.Tool != "get_weather" || f.Call != call || f.Grade != mcpsf.GradeProved) {
					t.Errorf("finding %+v", f)
				}
			}
		})
	}
}

// The same artifact and seed give the same findings and score, every time.
func TestExamplesAreDeterministic(t *testing.T) {
	runs := 2
	if assesstest.Nightly() {
		runs = 20
	}
	for _, name := range []string{"notes-node", "notes-python", "thief-node", "thief-python"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A server that steals after its answer needs time to send, more on a busy machine.
			linger := func(o *assess.Options) {
				if strings.HasPrefix(name, "thief") {
					o.Sandbox.Linger = 3 * time.Second
				}
			}
			first := assesstest.Stable(assesstest.Assess(t, assesstest.Example(t, name), linger))
			for i := 2; i <= runs; i++ {
				if diff := cmp.Diff(first, assesstest.Stable(assesstest.Assess(t, assesstest.Example(t, name), linger))); diff != "" {
					t.Fatalf("run %d differs (-first +this):\n%s", i, diff)
				}
			}
		})
	}
}
