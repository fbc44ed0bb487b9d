package rules

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// Pids are not shared between sandboxes: what the package manager did under a
// pid does not excuse the server with the same pid.
func TestSandboxesAreToldApart(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	exec := func(phase mcpsf.Phase, args ...string) []mcpsf.Event {
		return []mcpsf.Event{
			{Phase: phase, Kind: mcpsf.KindSandboxStart},
			{Phase: phase, Kind: mcpsf.KindProcessExec, PID: 1, Process: &mcpsf.ProcessDetail{Path: args[0], Args: args}},
		}
	}
	install := exec(mcpsf.PhaseInstall, "/usr/bin/python3.11", "/usr/lib/python3/dist-packages/pip/__pip-runner__.py", "install", ".")
	install = append(install, mcpsf.Event{
		Phase: mcpsf.PhaseInstall, Kind: mcpsf.KindNetConnect, PID: 1,
		Net: &mcpsf.NetDetail{Family: "ip4", Type: "stream", Address: mcpsf.NetGateway4, Port: 80},
	})
	start := exec(mcpsf.PhaseStart, "/usr/bin/python3.11", "server.py")
	start = append(start, mcpsf.Event{
		Phase: mcpsf.PhaseStart, Kind: mcpsf.KindCanaryRead, PID: 1,
		Canary: &mcpsf.CanaryDetail{ID: "netrc-1", Kind: "netrc", Source: mcpsf.Home + "/.netrc", How: "open"},
	})
	events := slices.Concat(install, start)
	for i := range events {
		events[i].Seq = int64(i + 1)
	}
	judged, err := set.Evaluate(events, nil, Scope{Home: mcpsf.Home, WorkDir: mcpsf.WorkDir, Name: "notes"})
	if err != nil {
		t.Fatal(err)
	}
	findings := judged.Findings
	if len(findings) != 1 || findings[0].ID != "decoy-read-at-start" || findings[0].Phase != mcpsf.PhaseStart {
		t.Errorf("findings %+v", findings)
	}
}
