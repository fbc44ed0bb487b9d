package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// result is the part of an assessment that this benchmark keeps.
type result struct {
	Source  string `json:"source"`
	Account string `json:"account"`
	Date    string `json:"date"`
	Tool    string `json:"tool,omitempty"`

	progress

	// Seconds of each step as mcpsf reported them, and in total.
	Seconds map[string]float64 `json:"seconds"`
	Cached  bool               `json:"cached,omitempty"`

	Runtime  string `json:"runtime,omitempty"`
	Packages int    `json:"packages,omitempty"`

	failure
	judgement
}

// progress is how far the server came.
type progress struct {
	Resolved    bool `json:"resolved"`
	Installed   bool `json:"installed"`
	Initialized bool `json:"initialized"`
	Listed      bool `json:"listed"`
	Tools       int  `json:"tools"`
}

// failure is what went wrong, as reported by mcpsf, the installation, the end of
// the session and the server itself.
type failure struct {
	Error      string                 `json:"error,omitempty"`
	Failed     string                 `json:"failed,omitempty"`
	Ending     string                 `json:"ending,omitempty"`
	Stderr     string                 `json:"stderr,omitempty"`
	Candidates []mcpsf.EntryCandidate `json:"candidates,omitempty"`
}

// judgement is the verdict of the run.
type judgement struct {
	Band     mcpsf.Band `json:"band,omitempty"`
	Reasons  []string   `json:"reasons,omitempty"`
	Findings []alarm    `json:"findings,omitempty"`
}

// alarm is a finding of severity medium or more: on a well-known server it has
// to be examined as a possible false alarm.
type alarm struct {
	ID       string         `json:"id"`
	Severity mcpsf.Severity `json:"severity"`
	Grade    mcpsf.Grade    `json:"grade"`
	Phase    mcpsf.Phase    `json:"phase"`
	Tool     string         `json:"tool,omitempty"`
	Message  string         `json:"message"`
}

// fill copies what is published from the report.
func (r *result) fill(rep *mcpsf.Report) {
	r.Tool = rep.Tool.Version
	r.Resolved = true
	r.Installed = true
	if in := rep.Installation; in != nil {
		r.Installed = in.Failed == ""
		r.Cached, r.Runtime, r.Packages = in.Cached, in.Runtime, len(in.Packages)
		r.Failed = in.Failed
	}
	s := &rep.Session
	r.Initialized, r.Tools, r.Ending = s.Initialized, len(s.Tools), s.Ending
	r.Listed = slices.ContainsFunc(s.Calls, func(c mcpsf.Call) bool {
		return c.Method == "tools/list" && c.Status == mcpsf.CallOK
	})
	for _, c := range rep.Artifact.Candidates {
		if c.Chosen || c.Outcome != "" {
			r.Candidates = append(r.Candidates, c)
		}
	}
	r.Band, r.Reasons = rep.Verdict.Band, rep.Verdict.Reasons
	for _, f := range rep.Findings {
		if f.Severity != mcpsf.SeverityInfo && f.Severity != mcpsf.SeverityLow {
			r.Findings = append(r.Findings, alarm{f.ID, f.Severity, f.Grade, f.Phase, f.Tool, f.Message})
		}
	}
}

// outcome is the result in one line.
func (r *result) outcome() string {
	switch {
	case r.Listed:
		return fmt.Sprintf("%d tools, %s, %.0f s", r.Tools, r.Band, r.Seconds["total"])
	case r.Initialized:
		return "tools/list failed: " + r.why()
	case r.Installed:
		return "did not start: " + r.why()
	case r.Resolved:
		return "not installed: " + r.why()
	default:
		return "not resolved: " + r.why()
	}
}

// why is the first known reason why it did not list its tools.
func (r *result) why() string {
	for _, text := range []string{r.Error, r.Failed, r.lastWords(), r.Ending, strings.Join(r.Reasons, " ")} {
		if text != "" {
			return oneLine(text)
		}
	}
	return "no reason was given"
}

// lastWords is the end of the stderr of a server that never answered.
func (r *result) lastWords() string {
	const before = "did not answer initialize: "
	for _, c := range r.Candidates {
		if i := strings.LastIndex(c.Outcome, before); i >= 0 && !r.Initialized {
			return c.Outcome[i+len(before):]
		}
	}
	return ""
}

// maxLine bounds a line of the result file.
const maxLine = 64 << 20

// readResults reads the result file; the last line of a source counts.
func readResults(path string) (map[string]*result, error) {
	results := map[string]*result{}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return results, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		r := &result{}
		if err := json.Unmarshal(lines.Bytes(), r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		results[r.Source] = r
	}
	return results, lines.Err()
}

// appendResult adds a line in one write, so that an interruption leaves no
// partial line.
func appendResult(path string, r *result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("keeping the result: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
