package twobuilds

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

// ResultsFile has a line for each result, in the work folder. A result whose line
// is deleted is made again.
const ResultsFile = "results.jsonl"

// Run is what the results of all benchmarks have: what was assessed, and how that
// ended.
type Run struct {
	Source string `json:"source"`
	// Binary is the digest of the binary, Tool its version.
	Binary  string  `json:"binary"`
	Tool    string  `json:"tool,omitempty"`
	Profile string  `json:"profile"`
	Seconds float64 `json:"seconds"`
	Exit    int     `json:"exit"`
	// Error says why there is no report.
	Error string `json:"error,omitempty"`
}

func (r *Run) run() *Run { return r }

// Result is what a benchmark keeps of an assessment: a pointer to a struct that
// embeds [Run] and is stored as JSON.
type Result interface {
	run() *Run
	// Fill takes from a report what the benchmark keeps.
	Fill(rep *mcpsf.Report)
	// Outcome is the result in a few words.
	Outcome() string
}

// Pair is a server with its two results.
type Pair[R Result] struct {
	Source        string
	Before, After R
}

// key identifies an assessment: what was assessed, by which binary and how.
type key struct{ source, binary, profile string }

func keyOf(r *Run) key { return key{r.Source, r.Binary, r.Profile} }

// readResults reads the results of earlier runs. A line that cannot be read was
// cut off by an interrupt; its result is made again.
func readResults[R Result](file string, blank func() R) (map[key]R, error) {
	raw, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	done := map[key]R{}
	for line := range bytes.Lines(raw) {
		r := blank()
		if json.Unmarshal(line, r) == nil {
			done[keyOf(r.run())] = r
		}
	}
	return done, nil
}

// appendResult adds a line. It begins one, too, because the last may be cut off.
func appendResult(file string, r Result) error {
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
