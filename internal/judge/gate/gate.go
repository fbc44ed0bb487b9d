// Package gate decides whether a judged run fails a build.
//
// In: what the user wrote for --fail-on and --min-confidence, and a report that
// has been judged. Out: whether it fails, for which of its findings, or whether
// too little was seen to let it pass.
package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Gate is from which level on the answer to each question fails, and which
// confidence a run needs.
type Gate struct {
	// behaviour and weakness are ranks.
	behaviour, weakness int
	confidence          mcpsf.ConfidenceLevel
}

// levels are the values of --fail-on, in order. A rank is an index into it.
func levels() []string { return []string{"pass", "low", "medium", "high", "critical", "never"} }

// Medium is the gate for whoever did not choose one.
func Medium() *Gate {
	rank, _ := rankOf("medium")
	return &Gate{behaviour: rank, weakness: rank, confidence: mcpsf.ConfidenceLow}
}

// Parse reads --fail-on: one level for both questions, or malicious:LEVEL and
// weak:LEVEL. A question that is not named in the second form never fails. And it
// reads --min-confidence, "" for low.
func Parse(failOn, confidence string) (*Gate, error) {
	g := &Gate{confidence: mcpsf.ConfidenceLevel(confidence)}
	if confidence == "" {
		g.confidence = mcpsf.ConfidenceLow
	}
	if !slices.Contains(mcpsf.ConfidenceLevels(), g.confidence) {
		return nil, fmt.Errorf("--min-confidence is low, medium or high, not %q", confidence)
	}
	if rank, ok := rankOf(failOn); ok {
		g.behaviour, g.weakness = rank, rank
		return g, nil
	}
	wrong := fmt.Errorf("--fail-on is low, medium, high, critical or never, or for each question malicious:LEVEL,weak:LEVEL, not %q", failOn)
	for part := range strings.SplitSeq(failOn, ",") {
		question, level, _ := strings.Cut(part, ":")
		rank, ok := rankOf(level)
		of := map[string]*int{"malicious": &g.behaviour, "weak": &g.weakness}[question]
		if !ok || of == nil || *of != 0 {
			return nil, wrong
		}
		*of = rank
	}
	never := len(levels()) - 1
	for _, of := range []*int{&g.behaviour, &g.weakness} {
		if *of == 0 {
			*of = never
		}
	}
	return g, nil
}

func rankOf(level string) (int, bool) {
	i := slices.Index(levels(), level)
	return i, i > 0
}

// Fails reports whether a finding reaches the gate of its question, or the
// findings of a question together reach its band. Both count even in a run with
// coverage gaps.
func (g *Gate) Fails(r *mcpsf.Report) bool {
	return g.FailsVerdict(&r.Verdict) || slices.ContainsFunc(r.Findings, func(f mcpsf.Finding) bool { return g.FailsFinding(&f) })
}

// FailsVerdict reports whether the band of a question reaches its gate.
func (g *Gate) FailsVerdict(v *mcpsf.Verdict) bool {
	return bandRank(v.Behaviour.Band) >= g.behaviour || bandRank(v.Weakness.Band) >= g.weakness
}

// bandRank is -1 for INCONCLUSIVE, which no gate is about.
func bandRank(b mcpsf.Band) int { return slices.Index(levels(), strings.ToLower(string(b))) }

// FailsFinding reports whether one finding reaches the gate. A suspicion counts
// one level lower, as in the verdict.
func (g *Gate) FailsFinding(f *mcpsf.Finding) bool {
	rank, _ := rankOf(string(f.Severity))
	if f.Grade == mcpsf.GradeSuspected {
		rank--
	}
	if f.Category == mcpsf.CategoryWeakness {
		return rank >= g.weakness
	}
	return rank >= g.behaviour
}

// Unsure reports whether too little was seen: the run was incomplete, or its
// confidence is below what the user wants.
func (g *Gate) Unsure(v *mcpsf.Verdict) bool {
	all := mcpsf.ConfidenceLevels()
	return v.Incomplete() || slices.Index(all, v.Confidence.Level) < slices.Index(all, g.confidence)
}
