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
	// Any also accepts the report of another artifact.
	Any bool
}

// Apply moves the findings that the baseline has to Waived. A finding that is
// now more severe or more certain stays.
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

// known returns the findings of the baseline, including those that its own baseline
// waived. Findings that an ignore waived then must be ignored again now.
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

// graver tells whether a is more severe or more certain than b. An invalid
// severity or grade in a baseline ranks lowest, so that it hides nothing.
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
