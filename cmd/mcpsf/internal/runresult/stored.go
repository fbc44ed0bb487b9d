package runresult

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
)

// Load reads a stored run back: its report and its events.
func Load(dir string) (*mcpsf.Report, []mcpsf.Event, error) {
	r, err := report.Load(dir)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	f, err := os.Open(filepath.Join(dir, report.EventsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no %s beside the report; both are needed", report.EventsName), Err: err}
	}
	if err != nil {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot read the run's events", Err: err}
	}
	defer f.Close()
	var events []mcpsf.Event
	if err := trace.Read(f, func(e mcpsf.Event) error { events = append(events, e); return nil }); err != nil {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the run's events cannot be read; assess it again", Err: err}
	}
	return r, events, nil
}
