package report

import (
	"errors"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/schema"
	"github.com/mcpsf/mcpsf/schema/schematest"
)

// Every written report is valid by the published schema, also one in which
// hardly anything is set.
func TestJSONMatchesTheSchema(t *testing.T) {
	bare := &mcpsf.Report{
		Verdict:    inconclusive(mcpsf.Verdict{Band: mcpsf.BandInconclusive}),
		Artifact:   mcpsf.Artifact{Runtime: mcpsf.RuntimeNative, Candidates: []mcpsf.EntryCandidate{{}}},
		Inspection: &mcpsf.Inspection{Packages: []mcpsf.Package{{}}},
		Waived: []mcpsf.Waived{{Finding: mcpsf.Finding{
			Category: mcpsf.CategoryWeakness, Severity: mcpsf.SeverityLow, Grade: mcpsf.GradeProved, Phase: mcpsf.PhaseInspect,
		}}},
		SecondOpinion: &mcpsf.SecondOpinion{},
		Installation:  &mcpsf.Installation{Manager: mcpsf.ManagerNPM},
	}
	asked := passed()
	asked.Payloads = &mcpsf.PayloadRun{Model: "local", Tools: 1, Unanswered: 1, Lost: []string{"x"}}
	all := samples()
	all["bare"], all["payloads"] = run{report: bare}, run{report: asked}
	for name, r := range all {
		data := render(t, FormatJSON, r, Style{})
		if err := schematest.Validate(schema.Report, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := schematest.ValidateWithPython(t.Context(), schema.Report, data); err != nil && !errors.Is(err, schematest.ErrNoPython) {
			t.Errorf("%s, by Python: %v", name, err)
		}
	}
}

// Complete does not change the report it is given.
func TestCompleteCopies(t *testing.T) {
	r := &mcpsf.Report{Inspection: &mcpsf.Inspection{}, Findings: []mcpsf.Finding{{}}}
	c := encode.Complete(r)
	if c.Inspection.Advisories == nil || c.Findings[0].Evidence == nil {
		t.Errorf("lists are missing in %+v", c)
	}
	if r.Inspection.Advisories != nil || r.Findings[0].Evidence != nil {
		t.Errorf("the original was changed: %+v", r)
	}
}
