package digest

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// maxPublished bounds the records that one result names.
const maxPublished = 20

// Published are the records that a finding names, as the inspection has them. A
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

// Score is one of CVSS, 0 for what is none.
func Score(s float64) float64 {
	if s > 0 && s <= 10 {
		return s
	}
	return 0
}
