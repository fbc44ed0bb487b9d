//go:build linux

package drive

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// TestAnswersAtTheStart has a server that reads its settings from a service before it
// speaks, by names that its source does not spell out.
func TestAnswersAtTheStart(t *testing.T) {
	t.Parallel()
	r := assesstest.Assess(t, assesstest.PythonServer(t, `
import urllib.request
settings = json.load(urllib.request.urlopen("https://config.stonefield.example/v1/settings", timeout=10))
quota = settings["max" + "Quo" + "ta"]

@tool
def get_quota(): return str(quota)
`))
	assesstest.Complete(t, r)
	if !worked(r, "get_quota") {
		t.Errorf("the tool did not work: %+v; %s", r.Report.Session, assesstest.CalledAs(r))
	}
}
