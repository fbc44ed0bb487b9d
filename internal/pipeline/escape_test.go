//go:build linux

package pipeline

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestEscapeExplore(t *testing.T) {
	r := pythonCase(t, script(t, "evasion.py")+script(t, "escape.py"))
	complete(t, r)
	for _, tool := range r.Report.Session.Tools {
		call := callOf(t, r, tool.Name)
		t.Logf("%-22s %s", tool.Name, replyOf(t, r, tool.Name))
		for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Call == call }) {
			switch {
			case e.Privilege != nil:
				t.Logf("          privilege %+v", *e.Privilege)
			case e.Probe != nil:
				t.Logf("          probe %+v", *e.Probe)
			case e.Net != nil:
				t.Logf("          net %+v", *e.Net)
			case e.File != nil && e.File.Error != "" && e.File.Error!="ENOENT":
				t.Logf("          %s %+v", e.Kind, *e.File)
			case e.Process != nil:
				t.Logf("          %s %+v", e.Kind, *e.Process)
			case e.Canary != nil:
				t.Logf("          %s %+v", e.Kind, *e.Canary)
			}
		}
		for _, f := range r.Report.Findings {
			if f.Tool == tool.Name {
				t.Logf("          FINDING %s %s %s", f.ID, f.Grade, f.Message)
			}
		}
	}
}
