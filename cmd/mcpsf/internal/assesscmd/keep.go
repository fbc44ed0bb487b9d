package assesscmd

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/runresult"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/judge/lock"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/evidence"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// keepFlags are about what is kept of an assessment beside its report.
type keepFlags struct {
	also, sign             string
	evidence, lock, locked bool

	formats []report.Format
	key     ed25519.PrivateKey
}

func (f *keepFlags) register(flags *pflag.FlagSet) {
	f.registerScan(flags)
	flags.BoolVar(&f.evidence, "evidence", true, "pack the run into "+evidence.BundleName+", for mcpsf verify")
	flags.StringVar(&f.sign, "sign", "", "ed25519 private key (PEM) to sign the evidence with (mcpsf keys creates one)")
	flags.BoolVar(&f.lock, "lock", false, "agree to what the server does and write it to "+lock.FileName)
	flags.BoolVar(&f.locked, "locked", false, "fail if the server does or offers more than "+lock.FileName+" says")
}

func (f *keepFlags) registerScan(flags *pflag.FlagSet) {
	flags.StringVar(&f.also, "also", "", "also write these formats to the output directory: "+runresult.Formats())
}

// check finds wrong flags before anything is run.
func (f *keepFlags) check() error {
	for name := range strings.FieldsFuncSeq(f.also, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(report.All(), report.Format(name)) {
			return program.Usage(fmt.Errorf("--also takes some of %s, not %q", runresult.Formats(), name))
		}
		f.formats = append(f.formats, report.Format(name))
	}
	if f.lock && f.locked {
		return program.Usage(errors.New("--lock agrees and --locked compares: give one of them"))
	}
	if f.locked {
		if _, err := lock.Read(lock.FileName); errors.Is(err, fs.ErrNotExist) {
			return program.Usage(errors.New("there is no " + lock.FileName + " here; write one with --lock"))
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

// keep writes the files to keep of a run into its directory.
func (a *assessor) keep(ctx context.Context, s *setup, f *assessFlags, dir string, result *assess.Result) error {
	if err := report.Save(dir, result.Report); err != nil {
		return fmt.Errorf("saving the report: %w", err)
	}
	k := &f.output.keep
	if _, err := report.SaveAs(dir, alwaysKept(k.formats, result.Report), result.Report, result.Events, a.style(f)); err != nil {
		return err
	}
	if !k.evidence {
		return nil
	}
	_, err := evidence.Pack(ctx, dir, &evidence.Options{Rules: s.rules.Digest(), Key: k.key})
	if err != nil && k.key == nil && (a.service == nil || job.NoRoom(err) == nil) { // the report is there all the same
		fmt.Fprintln(a.Stderr, "warning: "+safetext.Clean(err.Error()))
		return nil
	}
	return err
}

// alwaysKept adds the software bill of materials to the requested formats, if
// it is known, because it is part of the evidence.
func alwaysKept(formats []report.Format, r *mcpsf.Report) []report.Format {
	if r.Inspection == nil || slices.Contains(formats, report.FormatCycloneDX) {
		return formats
	}
	return append(slices.Clone(formats), report.FormatCycloneDX)
}
