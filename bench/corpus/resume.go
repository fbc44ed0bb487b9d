package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// finishedFile marks, beside the reports of an example, that its run came to its
// end: an interrupted one may leave a report, too.
const finishedFile = "corpus-finished"

func (l *lab) mark(e *example) string { return filepath.Join(l.reports, e.Name, finishedFile) }

func (l *lab) finished(e *example) bool {
	_, err := os.Stat(l.mark(e))
	return err == nil
}

// begin forgets what earlier runs have finished, so that what is marked later is
// of this run alone.
func (l *lab) begin(list []*example) error {
	var problems []error
	for _, e := range list {
		if err := os.Remove(l.mark(e)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}
