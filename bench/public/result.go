package main

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
)

// result is what is kept of one assessment.
type result struct {
	twobuilds.Run
	Band       mcpsf.Band            `json:"band,omitempty"`
	Score      int                   `json:"score"`
	Confidence mcpsf.ConfidenceLevel `json:"confidence,omitempty"`
	// Reasons say why the confidence is not high.
	Reasons  []string `json:"reasons,omitempty"`
	Findings []alarm  `json:"findings,omitempty"`
}

// alarm is a finding above LOW.
type alarm struct {
	ID       string         `json:"id"`
	Severity mcpsf.Severity `json:"severity"`
	Grade    mcpsf.Grade    `json:"grade"`
	Tool     string         `json:"tool,omitempty"`
	Message  string         `json:"message"`
}

// Fill takes what is compared from a report.
func (r *result) Fill(rep *mcpsf.Report) {
	v := &rep.Verdict
	r.Band, r.Score = v.Band, v.Score
	r.Confidence, r.Reasons = v.Confidence.Level, v.Confidence.Reasons
	for _, f := range rep.Findings {
		if f.Severity != mcpsf.SeverityInfo && f.Severity != mcpsf.SeverityLow {
			r.Findings = append(r.Findings, alarm{f.ID, f.Severity, f.Grade, f.Tool, f.Message})
		}
	}
}
