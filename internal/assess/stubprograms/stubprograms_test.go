package stubprograms

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestMissing(t *testing.T) {
	run := func(phase mcpsf.Phase, pid int, failure string, args ...string) mcpsf.Event {
		return mcpsf.Event{Phase: phase, PID: pid, Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Args: args, Error: failure}}
	}
	exit := func(pid, code int) mcpsf.Event {
		return mcpsf.Event{Phase: mcpsf.PhaseDrive, PID: pid, Kind: mcpsf.KindProcessExit, Process: &mcpsf.ProcessDetail{Code: code}}
	}
	tests := []struct {
		name   string
		events []mcpsf.Event
		want   []string
	}{
		{"nothing", nil, nil},
		{"looked for in every directory", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 7, "ENOENT", "adb", "devices"), run(mcpsf.PhaseDrive, 7, "ENOENT", "adb", "devices"), exit(7, 127),
		}, []string{"adb"}},
		{"found in the end", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 7, "ENOENT", "kubectl", "get"), run(mcpsf.PhaseDrive, 7, "", "kubectl", "get"),
		}, nil},
		{"a shell did not find it", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 7, "", "/bin/sh", "-c", "cd /x && LANG=C gemini -p 'hello'"), exit(7, 127),
		}, []string{"gemini"}},
		{"a shell that found it", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 7, "", "/bin/sh", "-c", "gemini -p"), exit(7, 0),
		}, nil},
		{"another shell of the same number", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 7, "", "/bin/sh", "-c", "gemini -p"), exit(7, 0), exit(7, 127),
		}, nil},
		{"a pipe of which one is there", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 8, "", "grep", "x"), run(mcpsf.PhaseDrive, 7, "", "sh", "-c", "tshark -i eth0 | grep x"), exit(7, 127),
		}, []string{"tshark"}},
		{"a path, an option, and what we sent", []mcpsf.Event{
			run(mcpsf.PhaseDrive, 7, "ENOENT", "/opt/tool"), run(mcpsf.PhaseDrive, 7, "ENOENT", "-x"), run(mcpsf.PhaseDrive, 7, "ENOENT", "../x"),
			run(mcpsf.PhaseAttack, 7, "ENOENT", "mcq1"), run(mcpsf.PhaseInstall, 7, "ENOENT", "cc"), run(mcpsf.PhaseDrive, 7, "EACCES", "tool"),
		}, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Missing(tt.events)); diff != "" && len(tt.want)+len(Missing(tt.events)) > 0 {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// A hostile server cannot have too many stubs planted, nor hide a real program.
func TestStubsAreFew(t *testing.T) {
	var events []mcpsf.Event
	for i := range 1000 {
		events = append(events, mcpsf.Event{Phase: mcpsf.PhaseDrive, Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{
			Args: []string{"tool" + strings.Repeat("x", i%20) + string(rune('a'+i%26))}, Error: "ENOENT",
		}})
	}
	files := Files(Missing(events))
	if len(files) != maxStubs {
		t.Errorf("%d stub programs, want %d", len(files), maxStubs)
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Path, Dir+"/") || !f.System {
			t.Errorf("%s is planted where it can hide something", f.Path)
		}
	}
	if got := SearchPath([]string{"A=b", "PATH=/x:/y"}); got != "/x:/y" {
		t.Errorf("the PATH is %q", got)
	}
}
