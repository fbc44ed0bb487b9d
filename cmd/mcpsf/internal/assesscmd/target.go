package assesscmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// command runs assess or scan.
func (a *assessor) command(cmd *cobra.Command, args []string, f *assessFlags) error {
	target, err := a.prepare(cmd, args, f)
	if err != nil {
		return err
	}
	return a.run(cmd.Context(), target, f)
}

// prepare takes the target from the command line or from a saved configuration,
// and the rest from flags, environment and settings.
func (a *assessor) prepare(cmd *cobra.Command, args []string, f *assessFlags) (mcpsf.Target, error) {
	target, err := targetOf(cmd, args, f.target.env)
	if err != nil {
		return target, err
	}
	f.given = givenFlags(cmd.Flags())
	if target, err = a.loadSaved(cmd.Flags(), target, &f.save); err != nil {
		return target, err
	}
	if err := f.judge.waivers.Read(a.Stderr, target.Source); err != nil {
		return target, err
	}
	if err := f.judge.waivers.Fill(cmd.Flags(), a.Getenv); err != nil {
		return target, err
	}
	target.Env = f.target.env
	return target, f.output.keep.check()
}

func targetOf(cmd *cobra.Command, args, env []string) (mcpsf.Target, error) {
	dash := cmd.ArgsLenAtDash()
	own := args
	var command []string
	if dash >= 0 {
		own, command = args[:dash], args[dash:]
	}
	switch {
	case len(own) == 0:
		return mcpsf.Target{}, program.Usage(fmt.Errorf("assess needs a SOURCE; try: mcpsf assess ./dir"))
	case len(own) > 1:
		return mcpsf.Target{}, program.Usage(fmt.Errorf("assess takes one SOURCE, not %d; give the server's own arguments after --", len(own)))
	case dash >= 0 && len(command) == 0:
		return mcpsf.Target{}, program.Usage(fmt.Errorf("there is no command after --"))
	}
	for _, kv := range env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			return mcpsf.Target{}, program.Usage(fmt.Errorf("--env takes K=V, not %q", kv))
		}
	}
	target := mcpsf.Target{Source: own[0], Command: command, Env: env}
	if len(command) > 0 && strings.HasPrefix(command[0], "-") { // no program has such a name
		target.Command, target.Args = nil, command
	}
	return target, nil
}
