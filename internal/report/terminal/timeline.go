package terminal

import (
	"bytes"

	"github.com/mcpsf/mcpsf/internal/report/digest"
)

// Timeline writes the long format for people: the verdict, the findings, what
// happened in order, and what was not covered.
func Timeline(buf *bytes.Buffer, data digest.Data, style Style) error {
	p := newPage(buf, style)
	r := data.Report
	verdictPart{p}.header(r)
	verdictPart{p}.verdict(r)
	verdictPart{p}.stderr(r, data.Events)
	findingsPart{p}.findings(r.Findings)
	findingsPart{p}.suspicions(r.SecondOpinion)
	findingsPart{p}.waived(r.Waived)
	if style.Explain {
		accessesPart{p}.accesses(r.Accesses)
	}
	timelinePart{p}.events(r, data.Events)
	coveragePart{p}.coverage(r)
	closingPart{p}.advice(r.Recommendations)
	closingPart{p}.closing(r, style.Dir)
	return nil
}
