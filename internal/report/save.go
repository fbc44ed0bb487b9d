package report

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/atomicfile"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// The files that are always written.
const (
	// FileName is the report as JSON.
	FileName = phrase.ReportFile
	// EventsName is every event, a line each.
	EventsName = phrase.EventsFile
)

// Save writes r to report.json in dir, which must exist. A reader never sees
// half a report: the file appears complete, or the old one stays.
func Save(dir string, r *mcpsf.Report) error {
	if err := save(dir, r); err != nil {
		return &mcpsf.Error{
			Code:    mcpsf.CodeInternal,
			Message: fmt.Sprintf("cannot write %s; choose another --output directory", safetext.Clean(filepath.Join(dir, FileName))),
			Err:     err,
		}
	}
	return nil
}

func save(dir string, r *mcpsf.Report) error {
	var buf bytes.Buffer
	if err := encode.Report(&buf, r); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, FileName), buf.Bytes(), 0o644)
}
