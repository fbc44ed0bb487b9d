package main

import "github.com/mcpsf/mcpsf"

// gates ranks the values of --fail-on.
func gates() map[string]int {
	return map[string]int{"low": 1, "medium": 2, "high": 3, "critical": 4, "never": 5}
}

// gate decides the exit code of a finished assessment. A finding at or above
// the gate counts even in a run that could not see everything.
func gate(r *mcpsf.Report, failOn string) error {
	limit := gates()[failOn]
	for _, f := range r.Findings {
		if rank, ok := gates()[string(f.Severity)]; ok && rank >= limit {
			return &outcome{exitFindings}
		}
	}
	if r.Verdict.Band == mcpsf.BandInconclusive {
		return &outcome{exitInconclusive}
	}
	return nil
}
