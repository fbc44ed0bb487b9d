package assesscmd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/evidence"
)

// outputDir is the directory of the run's files. It is created when the first
// file is written, and removed again if the run fails.
type outputDir struct {
	path string
	made []string
}

// events opens events.jsonl for the run.
func (o *outputDir) events(runID string) (io.WriteCloser, error) {
	if o.path == "" {
		o.path = filepath.Join("reports", runID)
	}
	for dir := filepath.Clean(o.path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		o.made = append(o.made, dir)
	}
	if err := os.MkdirAll(o.path, 0o755); err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot make the output directory; choose another with --output", Err: err}
	}
	if err := o.clear(); err != nil {
		return nil, err
	}
	return o.file("events.jsonl")
}

// clear removes the files of an earlier run, which would be taken for part of
// this one.
func (o *outputDir) clear() error {
	names := []string{evidence.BundleName, evidence.StatementName, report.FileName, conversationsName, recordName}
	for _, f := range report.All() {
		names = append(names, report.FileOf(f))
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(o.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot replace what is in the output directory; choose another with --output", Err: err}
		}
	}
	return nil
}

// traffic creates the file of the run's packets.
func (o *outputDir) traffic(string) (io.WriteCloser, error) { return o.file("traffic.pcapng") }

// conversations creates the file of the agents' conversations.
func (o *outputDir) conversations(string) (io.WriteCloser, error) { return o.file(conversationsName) }

// conversationsName is the file of the agents' conversations.
const conversationsName = "conversations.jsonl"

func (o *outputDir) file(name string) (io.WriteCloser, error) {
	name = filepath.Join(o.path, name)
	f, err := os.Create(name)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot write to the output directory; choose another with --output", Err: err}
	}
	o.made = append([]string{name}, o.made...)
	return f, nil
}

// discard removes what events created, innermost first; directories with other
// content stay.
func (o *outputDir) discard() {
	for _, name := range o.made {
		if err := os.Remove(name); err != nil {
			return
		}
	}
}
