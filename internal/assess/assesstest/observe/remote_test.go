//go:build linux

package observe

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// For a program that is started with a connection as a standard stream the event
// names the other end; for any other program it names none.
func TestProgramsOnAConnectionNameItsOtherEnd(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, assesstest.Script(t, "remote.py"))
	assesstest.Complete(t, r)
	want := map[string][]string{
		"reverse_shell": {"192.0.2.7:4444"}, "output_only": {"192.0.2.7:4445"}, "errors_only": {"192.0.2.7:4446"},
		"six": {"[2001:db8::7]:4444"}, "mapped": {"192.0.2.7:4447"}, "datagrams": {"192.0.2.7:4448"},
		"script_of_its_own": {"192.0.2.7:4449"},
	}
	for _, tool := range r.Report.Session.Tools {
		call := assesstest.CallOf(t, r, tool.Name)
		if reply := assesstest.ReplyOf(t, r, tool.Name); !strings.HasPrefix(reply, "ended") {
			t.Errorf("%s did not work: %s", tool.Name, reply)
		}
		execs := assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindProcessExec && e.Call == call })
		if len(execs) == 0 {
			t.Errorf("%s started nothing", tool.Name)
		}
		var remotes []string
		for _, e := range execs {
			if e.Process.Remote != "" {
				remotes = append(remotes, e.Process.Remote)
			}
		}
		if diff := cmp.Diff(want[tool.Name], slices.Compact(remotes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool.Name, diff)
		}
	}
}
