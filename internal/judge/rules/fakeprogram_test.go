package rules

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestWithoutFakePrograms(t *testing.T) {
	run := func(pid int, path string, args ...string) mcpsf.Event {
		return mcpsf.Event{PID: pid, Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Path: path, Args: args}}
	}
	start := mcpsf.Event{Kind: mcpsf.KindSandboxStart}
	events := []mcpsf.Event{
		start, run(7, "/snap/bin/kubectl", "kubectl", "get", "pods"), run(7, "/bin/sh", "kubectl", "get", "pods"), // ours
		run(7, "/bin/sh", "kubectl", "get", "pods"),                                  // it cannot go on like that
		run(8, "/snap/bin/rg", "rg", "--pre=x"), run(8, "/bin/sh", "sh", "-c", "id"), // another
		run(9, "/snap/bin/gh", "gh"), start, run(9, "/bin/sh", "gh"), run(10, "/usr/bin/id", "id"), // another sandbox
	}
	if got := withoutFakePrograms(events); len(got) != len(events)-1 {
		t.Errorf("got %d of %d events", len(got), len(events))
	}
	if events[2].Process == nil || events[2].Process.Path != "/bin/sh" {
		t.Error("the run itself was changed")
	}
}
