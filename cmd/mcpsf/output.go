package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
)

// outputDir is where the run's files go. It is made only once there is
// something to put into it, and what we made is taken away if the run fails.
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
	return o.file("events.jsonl")
}

// traffic makes the file of the run's packets.
func (o *outputDir) traffic(string) (io.WriteCloser, error) { return o.file("traffic.pcapng") }

func (o *outputDir) file(name string) (io.WriteCloser, error) {
	name = filepath.Join(o.path, name)
	f, err := os.Create(name)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot write to the output directory; choose another with --output", Err: err}
	}
	o.made = append([]string{name}, o.made...)
	return f, nil
}

// discard removes what events made, innermost first; directories that got
// other content stay.
func (o *outputDir) discard() {
	for _, name := range o.made {
		if err := os.Remove(name); err != nil {
			return
		}
	}
}
