package waiver

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Baseline is an earlier run whose findings are known.
type Baseline struct {
	// File is where it was read from.
	File   string
	Report *mcpsf.Report
	// Any takes the report of another artifact, too.
	Any bool
}

// Apply moves the findings that the baseline has. One that became graver, or
// surer, is news and stays.
func (b *Baseline) Apply(r *mcpsf.Report) error {
	if b.Report.Artifact.Name != r.Artifact.Name && !b.Any {
		return &mcpsf.Error{
			Code: mcpsf.CodeUsage,
			Message: fmt.Sprintf("the baseline %s is of %q, not of %q; use one of the same server, or --baseline-any",
				b.File, b.Report.Artifact.Name, r.Artifact.Name),
		}
	}
	known := b.known()
	reason := fmt.Sprintf("in the baseline %s of %s", b.File, b.Report.Run.ID)
	keep := make([]mcpsf.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		old, ok := known[key{f.ID, f.Fingerprint}]
		if !ok || graver(f, old) {
			keep = append(keep, f)
			continue
		}
		r.Waived = append(r.Waived, mcpsf.Waived{Finding: f, Reason: reason, File: b.File})
	}
	r.Findings = keep
	return nil
}

type key struct{ rule, fingerprint string }

// known are the findings of the baseline, and those that it had from a baseline
// itself. What an ignore covered then is for the ignore to cover now.
func (b *Baseline) known() map[key]mcpsf.Finding {
	all := map[key]mcpsf.Finding{}
	add := func(f mcpsf.Finding) {
		k := key{f.ID, f.Fingerprint}
		if old, ok := all[k]; f.Fingerprint != "" && (!ok || graver(f, old)) {
			all[k] = f
		}
	}
	for _, f := range b.Report.Findings {
		add(f)
	}
	for _, w := range b.Report.Waived {
		if w.Until.IsZero() {
			add(w.Finding)
		}
	}
	return all
}

// graver tells whether a is more than b. What a baseline says that is no
// severity or grade at all is less than any, so that nothing hides behind it.
func graver(a, b mcpsf.Finding) bool {
	return severity(a) > severity(b) || grade(a) > grade(b)
}

func severity(f mcpsf.Finding) int {
	return slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, f.Severity)
}

func grade(f mcpsf.Finding) int {
	return slices.Index([]mcpsf.Grade{mcpsf.GradeSuspected, mcpsf.GradeAttempted, mcpsf.GradeProved}, f.Grade)
}
