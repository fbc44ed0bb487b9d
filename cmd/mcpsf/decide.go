package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/settings"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/waiver"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// decisions are what the user decided about findings before they were found.
type decisions struct {
	config, baseline string
	anyBaseline      bool

	// settings and known are what stands there.
	settings *settings.Settings
	known    *waiver.Baseline
}

func (d *decisions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&d.config, "config", "", "file with settings and waived findings (default ./"+settings.FileName+" if it exists)")
	flags.StringVar(&d.baseline, "baseline", "", "ignore findings already in this report")
	flags.BoolVar(&d.anyBaseline, "baseline-any", false, "take the baseline of another server, too")
}

// read reads the files, before anything is run.
func (d *decisions) read(a *app, source string) error {
	file := d.config
	if file == "" {
		found, foreign, err := settings.Find(".", source)
		if err != nil {
			return err
		}
		if foreign {
			fmt.Fprintln(a.stderr, "warning: "+safetext.Clean(found)+" came with what is assessed and is not obeyed; name it with --config if it is yours")
			found = ""
		}
		file = found
	}
	if file != "" {
		s, err := settings.Read(file, time.Now())
		if err != nil {
			return err
		}
		d.settings = s
	}
	if d.baseline == "" {
		return nil
	}
	r, err := report.Load(d.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return usage(fmt.Errorf("there is no baseline at %s; write one with: mcpsf assess SOURCE --output DIR", safetext.Clean(d.baseline)))
	}
	if err != nil {
		return err
	}
	d.known = &waiver.Baseline{File: d.baseline, Report: r, Any: d.anyBaseline}
	return nil
}

// apply takes what was decided about out of the count, and concludes again.
func (d *decisions) apply(a *app, r *mcpsf.Report) error {
	before := len(r.Waived)
	if d.settings != nil {
		for _, note := range waiver.Apply(r, d.settings.Ignore, time.Now()) {
			fmt.Fprintln(a.stderr, safetext.Clean(note))
		}
	}
	if d.known != nil {
		if err := d.known.Apply(r); err != nil {
			return err
		}
	}
	if len(r.Waived) != before {
		judge.Conclude(r)
	}
	return nil
}
