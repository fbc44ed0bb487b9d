package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
)

// FileName is what [Save] calls the report.
const FileName = "report.json"

// EventsName is what the events are called beside it.
const EventsName = "events.jsonl"

// Save writes r to report.json in dir, which must exist. A reader never sees
// half a report: the file appears whole, or the old one stays.
func Save(dir string, r *mcpsf.Report) error {
	if err := save(dir, r); err != nil {
		return &mcpsf.Error{
			Code:    mcpsf.CodeInternal,
			Message: fmt.Sprintf("cannot write %s; choose another --output directory", Clean(filepath.Join(dir, FileName))),
			Err:     err,
		}
	}
	return nil
}

func save(dir string, r *mcpsf.Report) (err error) {
	var buf bytes.Buffer
	if err := encode(&buf, r); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+FileName+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // a second Close is harmless
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(buf.Bytes()); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, FileName))
}
