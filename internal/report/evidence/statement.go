package evidence

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/atomicfile"
)

const (
	statementType = "https://in-toto.io/Statement/v1"
	// PredicateType names the type of the statement; docs/evidence.md describes
	// it.
	PredicateType = "https://github.com/mcpsf/mcpsf/assessment/v1"
)

// statement is an in-toto statement about files, identified by their digests.
type statement struct {
	Type          string    `json:"_type"` //nolint:tagliatelle // in-toto has it so
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"` //nolint:tagliatelle // as above
	Predicate     predicate `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// predicate is the result of an assessment.
type predicate struct {
	Tool     mcpsf.ToolInfo `json:"tool"`
	Rules    string         `json:"rules,omitempty"`
	RunID    string         `json:"run_id"`
	Seed     uint64         `json:"seed"`
	Started  time.Time      `json:"started"`
	Finished time.Time      `json:"finished"`
	Verdict  mcpsf.Verdict  `json:"verdict"`
	Findings []told         `json:"findings"`
	// Waived are findings that the user waived, so that the verdict does not
	// count them.
	Waived   []told  `json:"waived,omitempty"`
	Coverage covered `json:"coverage"`
}

// told is a finding in one line.
type told struct {
	Rule        string         `json:"rule"`
	Severity    mcpsf.Severity `json:"severity"`
	Grade       mcpsf.Grade    `json:"grade"`
	Fingerprint string         `json:"fingerprint"`
	// Reason is why a waived finding does not count.
	Reason string `json:"reason,omitempty"`
}

// covered says how much was examined.
type covered struct {
	Phases []mcpsf.Phase     `json:"phases"`
	Events mcpsf.EventTotals `json:"events"`
	Calls  mcpsf.CallTotals  `json:"calls"`
	Remote bool              `json:"remote,omitempty"`
}

// state makes the statement about a bundle.
func state(r *mcpsf.Report, m *Manifest, bundle string) statement {
	s := statement{
		Type: statementType, PredicateType: PredicateType,
		Predicate: predicate{
			Tool: r.Tool, Rules: m.Rules, RunID: r.Run.ID, Seed: r.Run.Seed,
			Started: r.Run.Started, Finished: r.Run.Started.Add(time.Duration(r.Run.Duration * float64(time.Second))),
			Verdict: r.Verdict, Findings: []told{},
			Coverage: covered{Phases: r.Coverage.Phases, Events: r.Coverage.Events, Calls: r.Coverage.Calls, Remote: r.Coverage.Remote},
		},
	}
	for i := range r.Findings {
		s.Predicate.Findings = append(s.Predicate.Findings, tell(&r.Findings[i], ""))
	}
	for i := range r.Waived {
		s.Predicate.Waived = append(s.Predicate.Waived, tell(&r.Waived[i].Finding, r.Waived[i].Reason))
	}
	if a, ok := assessed(&r.Artifact); ok {
		s.Subject = append(s.Subject, a)
	}
	s.Subject = append(s.Subject, subject{Name: BundleName, Digest: map[string]string{"sha256": bundle}})
	return s
}

func tell(f *mcpsf.Finding, reason string) told {
	return told{Rule: f.ID, Severity: f.Severity, Grade: f.Grade, Fingerprint: f.Fingerprint, Reason: reason}
}

func (s *statement) encode() ([]byte, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding the statement: %w", err)
	}
	return data, nil
}

// writeStatement signs a statement and writes it.
func writeStatement(name string, s statement, key ed25519.PrivateKey) error {
	body, err := s.encode()
	if err != nil {
		return err
	}
	return atomicfile.WriteFrom(name, 0o644, func(w io.Writer) error { return json.NewEncoder(w).Encode(sign(body, key)) })
}

// statementFor returns the file name of the statement about a bundle.
func statementFor(bundle string) string {
	return strings.TrimSuffix(bundle, ".tar.zst") + ".intoto.jsonl"
}
