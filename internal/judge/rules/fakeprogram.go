package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// withoutFakePrograms omits the shells of our fake programs. A script with a #!
// line is reported twice, as itself and as its interpreter with the same arguments:
// the server started the first, the kernel the second.
func withoutFakePrograms(events []mcpsf.Event) []mcpsf.Event {
	if !slices.ContainsFunc(events, startsFakeProgram) {
		return events
	}
	last := map[int][]string{} // the arguments of the fake program that a process runs
	return slices.DeleteFunc(slices.Clone(events), func(e mcpsf.Event) bool {
		if e.Kind == mcpsf.KindSandboxStart {
			clear(last)
		}
		if startsFakeProgram(e) {
			last[e.PID] = e.Process.Args
			return false
		}
		if !starts(e) {
			return false
		}
		args, ran := last[e.PID]
		delete(last, e.PID)
		return ran && slices.Equal(args, e.Process.Args)
	})
}

// starts tells whether a program was started.
func starts(e mcpsf.Event) bool {
	return e.Kind == mcpsf.KindProcessExec && e.Process != nil && e.Process.Error == ""
}

func startsFakeProgram(e mcpsf.Event) bool { return starts(e) && mcpsf.IsFakeProgram(e.Process.Path) }
