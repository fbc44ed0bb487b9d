package assesscmd

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// SourceOptions are the options of [Source].
type SourceOptions struct {
	Profile string
	Env     []string
	Seed    uint64
	Quiet   bool
}

// Source assesses a source like mcpsf assess without other flags, and prints no
// report. It returns the report and the directory of the run.
func Source(ctx context.Context, p *program.Program, source string, opts *SourceOptions) (*mcpsf.Report, string, error) {
	a := &assessor{Program: p}
	var f assessFlags
	f.register(&pflag.FlagSet{})
	f.attack = attackFlags{profile: opts.Profile, seed: opts.Seed}
	f.target.env, f.output.quiet = opts.Env, opts.Quiet
	s, err := a.setUp(&f)
	if err != nil {
		return nil, "", err
	}
	defer s.close()
	result, dir, err := a.assessTarget(ctx, s, &f, mcpsf.Target{Source: source, Env: opts.Env}, "")
	if err != nil {
		return nil, "", err
	}
	return result.Report, dir, nil
}
