package summary

import (
	"cmp"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// MostSevereFirst orders findings by severity, then by grade; equal ones stay in
// the order of the rules.
func MostSevereFirst(all []mcpsf.Finding) []mcpsf.Finding {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b mcpsf.Finding) int {
		return cmp.Or(
			cmp.Compare(SeverityRank(b.Severity), SeverityRank(a.Severity)),
			cmp.Compare(gradeRank(b.Grade), gradeRank(a.Grade)),
		)
	})
	return sorted
}

// SeverityRank orders severities, lowest first.
func SeverityRank(s mcpsf.Severity) int {
	return slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, s)
}

func gradeRank(g mcpsf.Grade) int {
	return slices.Index([]mcpsf.Grade{mcpsf.GradeSuspected, mcpsf.GradeAttempted, mcpsf.GradeProved}, g)
}
