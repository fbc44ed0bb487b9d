package inspection

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/coderun"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// What the source can do and the run never showed is a gap; what it showed, or
// what only a dependency can do, is none.
func TestNotRun(t *testing.T) {
	at := []mcpsf.CodePlace{{Path: "server.py", Line: 7, Name: "urllib.request.urlopen"}}
	in := &mcpsf.Inspection{Capabilities: []mcpsf.Capability{
		{Kind: mcpsf.CapabilityNetwork, Places: at, Count: 3, Used: mcpsf.LoadedNo},
		{Kind: mcpsf.CapabilityFiles, Places: at, Count: 1, Used: mcpsf.LoadedYes},
		{Kind: mcpsf.CapabilityExec, Packages: []string{"pkg:npm/x@1"}, Used: mcpsf.LoadedNo},
		{Kind: mcpsf.CapabilityEnviron, Places: at, Count: 1, Used: mcpsf.LoadedNo},
	}}
	got := notRun(in, &coderun.Result{})
	if len(got) != 1 || got[0].Code != gap.CodeNotRun || got[0].Count != 3 || got[0].Hides ||
		got[0].Text != "its use of the network: its code has it (server.py:7), and this run never showed it; which places ran was not recorded" {
		t.Errorf("%+v", got)
	}
}

// Where it was recorded what ran, each place counts, whatever else the run showed.
func TestPlacesNotRun(t *testing.T) {
	place := mcpsf.PlaceNotRun{Path: "server.py", Line: 7, What: "open"}
	in := &mcpsf.Inspection{Capabilities: []mcpsf.Capability{{Kind: mcpsf.CapabilityFiles, Count: 9, Used: mcpsf.LoadedYes}}}
	if got := notRun(in, &coderun.Result{Coverage: &mcpsf.CodeCoverage{Functions: 2, Ran: 1}}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	got := notRun(in, &coderun.Result{Coverage: &mcpsf.CodeCoverage{NotRun: 5, PlacesNotRun: []mcpsf.PlaceNotRun{place, place, place, place, place}}})
	const want = "what its code does in 5 places that did not run: server.py:7 (open), server.py:7 (open), server.py:7 (open), 2 more"
	if len(got) != 1 || got[0].Code != gap.CodeNotRun || got[0].Count != 5 || got[0].Hides || got[0].Text != want {
		t.Errorf("%+v", got)
	}
}

// Code that ran and sent nothing is as unknown as code that did not run.
func TestNeverSent(t *testing.T) {
	at := []mcpsf.CodePlace{{Path: "server.js", Line: 7, Name: "fetch"}}
	code := &coderun.Result{Coverage: &mcpsf.CodeCoverage{}, Ran: at}
	in := &mcpsf.Inspection{Capabilities: []mcpsf.Capability{{Kind: mcpsf.CapabilityNetwork, Places: at, Used: mcpsf.LoadedNo}}}
	got := notRun(in, code)
	if len(got) != 1 || got[0].Text != "what its code sends: server.js:7 (fetch) ran, and nothing was sent" {
		t.Errorf("%+v", got)
	}
	in.Capabilities[0].Used = mcpsf.LoadedYes
	if got := notRun(in, code); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
