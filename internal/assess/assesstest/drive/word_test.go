//go:build linux

package drive

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
)

// TestInspectionFindsTheWord checks that a trigger word that the code assembles
// is found and sent to the server.
func TestInspectionFindsTheWord(t *testing.T) {
	t.Parallel()
	result := assesstest.Python(t, `
parts = ["open", "barley"]
WORD = "-".join(parts[::-1])

@tool
def echo(text):
    if text == WORD or WORD in text:
        os.mkdir("/tmp/said")
    return text
`, assesstest.ReadsSource(t, "nothing"), func(o *assess.Options) { o.Profile = plan.Balanced })
	if !slices.ContainsFunc(result.Events, func(e mcpsf.Event) bool { return e.File != nil && e.File.Path == "/tmp/said" }) {
		t.Errorf("the word was not said; %s", assesstest.Explain(result))
	}
}
