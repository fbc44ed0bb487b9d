package digest

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// maxPublished bounds the advisories that one result names.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxPublished = 20

// Published returns the advisories that a finding names, from the inspection. A
// finding about several packages has those of all.
func Published(r *mcpsf.Report, f *mcpsf.Finding) []mcpsf.Advisory {
	if r.Inspection == nil || len(f.Advisories) == 0 {
		return nil
	}
	var found []mcpsf.Advisory
	for _, a := range r.Inspection.Advisories {
		if slices.Contains(f.Advisories, a.ID) && (f.Package == "" || f.Package == a.Package) {
			found = append(found, a)
		}
	}
	found = WorstFirst(found)
	return found[:min(len(found), maxPublished)]
}

// Score returns a valid CVSS score, 0 for an invalid one.
func Score(s float64) float64 {
	if s > 0 && s <= 10 {
		return s
	}
	return 0
}
