package runresult

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// ranks orders the values of --fail-on.
func ranks() map[string]int {
	return map[string]int{"low": 1, "medium": 2, "high": 3, "critical": 4, "never": 5}
}

// CheckFailOn refuses an invalid value of --fail-on.
func CheckFailOn(value string) error {
	if _, ok := ranks()[value]; !ok {
		return program.Usage(fmt.Errorf("--fail-on is low, medium, high, critical or never, not %q", value))
	}
	return nil
}

// Gate decides the exit code of a finished assessment: it fails for a finding
// at or above the gate, or for findings that together reach its band. Both
// count even in a run with coverage gaps.
func Gate(r *mcpsf.Report, failOn string) error {
	limit := ranks()[failOn]
	reached := ranks()[strings.ToLower(string(r.Verdict.Band))]
	for _, f := range r.Findings {
		rank := ranks()[string(f.Severity)]
		if f.Grade == mcpsf.GradeSuspected {
			rank-- // as in the verdict, suspected findings count one band lower
		}
		reached = max(reached, rank)
	}
	switch {
	case reached >= limit:
		return &program.Outcome{Code: program.ExitFindings}
	case r.Verdict.Band == mcpsf.BandInconclusive:
		return &program.Outcome{Code: program.ExitInconclusive}
	}
	return nil
}
