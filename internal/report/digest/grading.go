package digest

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
)

// RankOf is how severe a finding is for a gate: signs alone count one band lower,
// as in the verdict.
func RankOf(f *mcpsf.Finding) int {
	rank := summary.SeverityRank(f.Severity)
	if f.Grade == mcpsf.GradeSuspected {
		rank--
	}
	return rank
}
