package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/judge/lock"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/evidence"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// keepFlags say what is kept of an assessment beside its report.
type keepFlags struct {
	also, sign             string
	evidence, lock, locked bool

	formats []report.Format
	key     ed25519.PrivateKey
}

func (f *keepFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.also, "also", "", "also write these formats to the output directory: "+formats())
	flags.BoolVar(&f.evidence, "evidence", true, "pack the run into "+evidence.BundleName+", for mcpsf verify")
	flags.StringVar(&f.sign, "sign", "", "ed25519 private key (PEM) to sign the evidence with (mcpsf keys creates one)")
	flags.BoolVar(&f.lock, "lock", false, "agree to what the server does and write it to "+lock.FileName)
	flags.BoolVar(&f.locked, "locked", false, "fail if the server does or offers more than "+lock.FileName+" says")
}

// check finds what is wrong before anything is run.
func (f *keepFlags) check() error {
	for name := range strings.FieldsFuncSeq(f.also, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(report.All(), report.Format(name)) {
			return usage(fmt.Errorf("--also takes some of %s, not %q", formats(), name))
		}
		f.formats = append(f.formats, report.Format(name))
	}
	if f.lock && f.locked {
		return usage(errors.New("--lock agrees and --locked compares: give one of them"))
	}
	if f.locked {
		if _, err := lock.Read(lock.FileName); errors.Is(err, fs.ErrNotExist) {
			return usage(errors.New("there is no " + lock.FileName + " here; write one with --lock"))
		} else if err != nil {
			return err
		}
	}
	if f.sign == "" {
		return nil
	}
	f.evidence = true
	var err error
	f.key, err = evidence.LoadPrivateKey(f.sign)
	return err
}

// keep writes what is to be kept of a run into its directory.
func (a *app) keep(ctx context.Context, opts *assess.Options, f *assessFlags, dir string, result *assess.Result) error {
	if err := report.Save(dir, result.Report); err != nil {
		return fmt.Errorf("saving the report: %w", err)
	}
	style := a.style(a.stdout)
	style.Explain, style.FailOn = f.print.explain, f.failOn
	if _, err := report.SaveAs(dir, alwaysKept(f.keep.formats, result.Report), result.Report, result.Events, style); err != nil {
		return err
	}
	if !f.keep.evidence {
		return nil
	}
	_, err := evidence.Pack(ctx, dir, &evidence.Options{Rules: opts.Rules.Digest(), Key: f.keep.key})
	if err != nil && f.keep.key == nil && (a.watch == nil || job.NoRoom(err) == nil) { // the report is there all the same
		fmt.Fprintln(a.stderr, "warning: "+safetext.Clean(err.Error()))
		return nil
	}
	return err
}

// alwaysKept adds to the formats that were asked for what belongs to the
// evidence: the list of what the server consists of, where it is known.
func alwaysKept(formats []report.Format, r *mcpsf.Report) []report.Format {
	if r.Inspection == nil || slices.Contains(formats, report.FormatCycloneDX) {
		return formats
	}
	return append(slices.Clone(formats), report.FormatCycloneDX)
}

// locking agrees to what a run shows, or compares it with what was agreed to.
func (a *app) locking(f *keepFlags, result *assess.Result) error {
	if !f.lock && !f.locked {
		return nil
	}
	l, err := lock.Read(lock.FileName)
	if errors.Is(err, fs.ErrNotExist) && f.lock {
		l, err = &lock.Lock{Version: lock.Version, Servers: map[string]lock.Server{}}, nil
	}
	if err != nil {
		return err
	}
	if f.lock {
		l.Put(result.Report)
		return lock.Write(lock.FileName, l)
	}
	failed := false
	for _, d := range lock.Check(l, result.Report) {
		mark := "changed"
		if d.Fails {
			mark, failed = "INTRODUCED", true
		}
		fmt.Fprintf(a.stderr, "%-10s %s\n", mark, safetext.Clean(d.Text))
	}
	if failed {
		fmt.Fprintln(a.stderr, "the server does or offers more than "+lock.FileName+" says; agree with --lock if that is right")
		return &outcome{exitFindings}
	}
	return nil
}
