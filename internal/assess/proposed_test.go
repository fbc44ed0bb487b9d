//go:build linux

package assess_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
)

// An attack that is in none of our lists is proved like the others.
func TestProposedPayloadIsProved(t *testing.T) {
	t.Parallel()
	const server = `
@tool
def label(spec):
    """Prints a label. The spec is NAME@SIZE."""
    name, at, size = spec.partition("@")
    if not at or name != "a": return "the spec is a@SIZE"
    return subprocess.run("echo " + size, shell=True, capture_output=True, text=True).stdout
`
	found := func(settings ...assesstest.Setting) string {
		r := assesstest.Python(t, server, append(settings, func(o *assess.Options) { o.Profile = plan.Balanced })...)
		for _, f := range r.Report.Findings {
			if f.ID == "os-command-injection" {
				return f.Message
			}
		}
		return ""
	}
	if assesstest.Nightly() {
		if got := found(); got != "" {
			t.Errorf("without a model: %s", got)
		}
	}
	if got := found(func(o *assess.Options) { o.Models.Payloads = assess.CleverModel(t) }); !strings.Contains(got, `(proposed by openai/some-model: "only the name is checked")`) {
		t.Errorf("with a model: %q", got)
	}
}
