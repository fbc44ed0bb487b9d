package runresult

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess/settings"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/waiver"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Waivers are the findings that the user accepted in advance: in a settings
// file or a baseline.
type Waivers struct {
	config, baseline string
	anyBaseline      bool

	settings *settings.Settings // from --config
	known    *waiver.Baseline   // from --baseline
}

// Register defines the flags that name the files.
func (w *Waivers) Register(flags *pflag.FlagSet) {
	flags.StringVar(&w.config, "config", "", "file with settings and waived findings (default ./"+settings.FileName+" if it exists)")
	flags.StringVar(&w.baseline, "baseline", "", "ignore findings already in this report")
	flags.BoolVar(&w.anyBaseline, "baseline-any", false, "take the baseline of another server, too")
}

// Read reads the files before anything is run. source is what is assessed: a
// settings file inside it is not the user's. Warnings go to stderr.
func (w *Waivers) Read(stderr io.Writer, source string) error {
	file := w.config
	if file == "" {
		found, foreign, err := settings.Find(".", source)
		if err != nil {
			return err
		}
		if foreign {
			fmt.Fprintln(stderr, "warning: "+safetext.Clean(found)+" came with what is assessed and is not obeyed; name it with --config if it is yours")
			found = ""
		}
		file = found
	}
	if file != "" {
		s, err := settings.Read(file, time.Now())
		if err != nil {
			return err
		}
		w.settings = s
	}
	if w.baseline == "" {
		return nil
	}
	r, err := report.Load(w.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return program.Usage(fmt.Errorf("there is no baseline at %s; write one with: mcpsf assess SOURCE --output DIR", safetext.Clean(w.baseline)))
	}
	if err != nil {
		return err
	}
	w.known = &waiver.Baseline{File: w.baseline, Report: r, Any: w.anyBaseline}
	return nil
}

// Fill sets flags that were not given from the settings file.
func (w *Waivers) Fill(flags *pflag.FlagSet, getenv func(string) string) error {
	return w.settings.Fill(flags, getenv)
}

// Apply waives accepted findings and computes the verdict again. Notes go to
// stderr.
func (w *Waivers) Apply(stderr io.Writer, r *mcpsf.Report) error {
	before := len(r.Waived)
	if w.settings != nil {
		for _, note := range waiver.Apply(r, w.settings.Ignore, time.Now()) {
			fmt.Fprintln(stderr, safetext.Clean(note))
		}
	}
	if w.known != nil {
		if err := w.known.Apply(r); err != nil {
			return err
		}
	}
	if len(r.Waived) != before {
		judge.Conclude(r)
	}
	return nil
}
