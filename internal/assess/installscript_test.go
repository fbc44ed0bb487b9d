package assess

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestRanInstallScript(t *testing.T) {
	ran := func(pid int, phase mcpsf.Phase, args ...string) []mcpsf.Event {
		return []mcpsf.Event{{PID: pid, Phase: phase, Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Args: args}}}
	}
	for name, test := range map[string]struct {
		events []mcpsf.Event
		want   bool
	}{
		"a script of npm":     {ran(7, mcpsf.PhaseInstall, "sh", "-c", "node index.js setup"), true},
		"our own command":     {ran(1, mcpsf.PhaseInstall, "/bin/sh", "-c", "npm install"), false},
		"npm itself":          {ran(7, mcpsf.PhaseInstall, "/usr/bin/node", "/usr/lib/npm-cli.js", "install"), false},
		"a shell in a call":   {ran(7, mcpsf.PhaseDrive, "sh", "-c", "ls"), false},
		"no events whatever":  {nil, false},
		"a shell with a file": {ran(7, mcpsf.PhaseInstall, "bash", "configure"), false},
	} {
		if got := ranInstallScript(test.events); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
