//go:build linux

package assess_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// gapOf returns the first gap with a code.
func gapOf(r *assess.Result, code mcpsf.GapCode) *mcpsf.Gap {
	for i := range r.Report.Coverage.Gaps {
		if g := &r.Report.Coverage.Gaps[i]; g.Code == code {
			return g
		}
	}
	return nil
}

// countFindings counts the findings of a rule.
func countFindings(r *assess.Result, id string) int {
	n := 0
	for i := range r.Report.Findings {
		if r.Report.Findings[i].ID == id {
			n++
		}
	}
	return n
}

// A tool that takes the server down is one finding. The others are called all the
// same, and agents hold their conversations. Every night: the server finds what it
// left, and comparing starts does not take a restart for a flow.
func TestCrashIsNotTheEnd(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, `
@tool
def first(note):
    open(os.path.expanduser("~/first.txt"), "w").write(note)
    return "written"

@tool
def quit(query):
    os._exit(3)

@tool
def second():
    return "second"

@tool
def found():
    return "found: " + open(os.path.expanduser("~/first.txt")).read()
`, func(o *assess.Options) {
		if o.Models.Agents = []agent.Runner{{}}; assesstest.Nightly() {
			o.Profile = plan.Balanced
		}
	})
	assesstest.Complete(t, r)
	worked := map[string]bool{}
	for _, c := range r.Report.Session.Calls {
		worked[c.Tool] = worked[c.Tool] || c.Tool != "" && c.Status == mcpsf.CallOK
	}
	if !worked["first"] || !worked["second"] || worked["quit"] || assesstest.Nightly() && !worked["found"] {
		t.Errorf("worked: %v; %s", worked, assesstest.Explain(r))
	}
	if n := countFindings(r, "crash-on-valid-call"); n != 1 {
		t.Errorf("%d findings of the crash", n)
	}
	c := r.Report.Coverage
	if c.Calls.Reached != 4 || c.Restarts < 1 || gapOf(r, gap.NotResumed) != nil || gapOf(r, gap.ToolsNotCalled) != nil || gapOf(r, gap.CallsLeftOut) == nil {
		t.Errorf("%+v, %d restarts, gaps %v", c.Calls, c.Restarts, c.Gaps)
	}
	if len(r.Report.Agents) != 1 || len(r.Report.Agents[0].Lost) > 0 || r.Report.Agents[0].Tasks == 0 {
		t.Errorf("agents: %+v", r.Report.Agents)
	}
	if assesstest.HasFinding(r, "secret-dependent-traffic") || assesstest.HasFinding(r, "secret-dependent-result") {
		t.Error("a restart is taken for a flow")
	}
}

// A server that ends itself with every call is started again a few times, and does not
// pass.
func TestServerThatEndsWithEachCall(t *testing.T) {
	t.Parallel()
	tools := ""
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		tools += "@tool\ndef " + name + "():\n    os._exit(0)\n\n"
	}
	r := assesstest.Python(t, tools)
	c := r.Report.Coverage
	if c.Restarts == 0 || c.Restarts > 8 || c.Calls.Reached == c.Calls.Tools {
		t.Errorf("%d restarts, %d of %d tools", c.Restarts, c.Calls.Reached, c.Calls.Tools)
	}
	if g := gapOf(r, gap.NotResumed); g == nil || !g.Hides || !strings.Contains(g.Text, "4 times") {
		t.Errorf("gaps %v", c.Gaps)
	}
	if v := r.Report.Verdict; v.Band != mcpsf.BandInconclusive {
		t.Errorf("verdict %+v", v)
	}
}
