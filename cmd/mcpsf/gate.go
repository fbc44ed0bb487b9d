package main

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// gates ranks the values of --fail-on.
func gates() map[string]int {
	return map[string]int{"low": 1, "medium": 2, "high": 3, "critical": 4, "never": 5}
}

// gate decides the exit code of a finished assessment: a finding at or above
// the gate, or findings that together reach its band. Both count even in a
// run with gaps in its coverage.
func gate(r *mcpsf.Report, failOn string) error {
	limit := gates()[failOn]
	reached := gates()[strings.ToLower(string(r.Verdict.Band))]
	for _, f := range r.Findings {
		rank := gates()[string(f.Severity)]
		if f.Grade == mcpsf.GradeSuspected {
			rank-- // as in the verdict, signs alone count one band lower
		}
		reached = max(reached, rank)
	}
	switch {
	case reached >= limit:
		return &outcome{exitFindings}
	case r.Verdict.Band == mcpsf.BandInconclusive:
		return &outcome{exitInconclusive}
	}
	return nil
}
