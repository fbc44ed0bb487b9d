package report

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A verdict whose confidence is not high says so beside its band, in every
// format that has a verdict.
func TestLimited(t *testing.T) {
	for _, f := range []Format{FormatSummary, FormatTimeline, FormatMarkdown, FormatHTML, FormatSARIF, FormatJUnit} {
		for level, want := range map[mcpsf.ConfidenceLevel]bool{mcpsf.ConfidenceHigh: false, mcpsf.ConfidenceMedium: true, mcpsf.ConfidenceLow: true} {
			r := everything()["waived"]
			r.report.Verdict.Confidence.Level = level
			text := string(render(t, f, r, Style{}))
			if f == FormatSARIF {
				text = strings.ReplaceAll(strings.ReplaceAll(text, `"limited": false`, ""), `"limited":false`, "")
			}
			if f == FormatHTML {
				_, text, _ = strings.Cut(text, "<body")
			}
			if got := strings.Contains(text, "limited"); got != want {
				t.Errorf("%s with confidence %s: limited is %v", f, level, got)
			}
		}
	}
}
