package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A comment names the ten most severe advisories and counts the rest.
func TestMarkdownBoundsAdvisories(t *testing.T) {
	r := inspected()
	for i := range 500 {
		r.Inspection.Advisories = append(r.Inspection.Advisories, mcpsf.Advisory{ID: fmt.Sprint("MAL-", i), Malicious: true, Severity: mcpsf.SeverityCritical, Package: "pkg:npm/x"})
	}
	out := string(render(t, FormatMarkdown, run{report: r}, Style{}))
	if n := strings.Count(out, "** malicious |"); n != 10 || !strings.Contains(out, "| | and 492 more | | | |") {
		t.Errorf("%d rows:\n%s", n, out)
	}
}
