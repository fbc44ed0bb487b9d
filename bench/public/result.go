package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
)

// resultsFile has a line for each result, in the work folder.
const resultsFile = "results.jsonl"

// result is what is kept of one assessment.
type result struct {
	Source string `json:"source"`
	// Binary is the digest of the binary, Tool its version.
	Binary  string  `json:"binary"`
	Tool    string  `json:"tool,omitempty"`
	Profile string  `json:"profile"`
	Seconds float64 `json:"seconds"`

	Exit       int                   `json:"exit"`
	Band       mcpsf.Band            `json:"band,omitempty"`
	Score      int                   `json:"score"`
	Confidence mcpsf.ConfidenceLevel `json:"confidence,omitempty"`
	// Reasons say why the confidence is not high.
	Reasons  []string `json:"reasons,omitempty"`
	Findings []alarm  `json:"findings,omitempty"`
	// Error says why there is no report.
	Error string `json:"error,omitempty"`
}

// alarm is a finding above LOW.
type alarm struct {
	ID       string         `json:"id"`
	Severity mcpsf.Severity `json:"severity"`
	Grade    mcpsf.Grade    `json:"grade"`
	Tool     string         `json:"tool,omitempty"`
	Message  string         `json:"message"`
}

// key identifies an assessment: what was assessed, by which binary and how.
type key struct{ source, binary, profile string }

func (r *result) key() key { return key{r.Source, r.Binary, r.Profile} }

// fill takes what is compared from a report.
func (r *result) fill(rep *mcpsf.Report) {
	v := &rep.Verdict
	r.Tool, r.Band, r.Score = rep.Tool.Version, v.Band, v.Score
	r.Confidence, r.Reasons = v.Confidence.Level, v.Confidence.Reasons
	for _, f := range rep.Findings {
		if f.Severity != mcpsf.SeverityInfo && f.Severity != mcpsf.SeverityLow {
			r.Findings = append(r.Findings, alarm{f.ID, f.Severity, f.Grade, f.Tool, f.Message})
		}
	}
}

// readResults reads the results of earlier runs. A line that cannot be read was
// cut off by an interrupt; its result is made again.
func readResults(file string) (map[key]*result, error) {
	raw, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	done := map[key]*result{}
	for line := range bytes.Lines(raw) {
		r := &result{}
		if json.Unmarshal(line, r) == nil {
			done[r.key()] = r
		}
	}
	return done, nil
}

// appendResult adds a line. It begins one, too, because the last may be cut off.
func appendResult(file string, r *result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n%s\n", line)
	return errors.Join(err, f.Close())
}
