package inspection

import (
	"testing"

	"github.com/mcpsf/mcpsf"
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
	got := notRun(in)
	if len(got) != 1 || got[0].Code != gap.CodeNotRun || got[0].Count != 3 || got[0].Hides ||
		got[0].Text != "its use of the network: its code has it (server.py:7), and this run never showed it" {
		t.Errorf("%+v", got)
	}
}
