package digest

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
)

// RankOf returns the severity of a finding for a gate: a suspicion counts one
// band lower, as in the verdict.
func RankOf(f *mcpsf.Finding) int {
	rank := summary.SeverityRank(f.Severity)
	if f.Grade == mcpsf.GradeSuspected {
		rank--
	}
	return rank
}
