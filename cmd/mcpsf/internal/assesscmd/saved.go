package assesscmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/assess/saved"
)

// saveFlags are about saving the command line under a name.
type saveFlags struct {
	as     string
	values bool // save the values of --env and --header, too
}

func (f *saveFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.as, "save-as", "", "save the source and the flags under this name, for mcpsf assess saved:NAME")
	flags.BoolVar(&f.values, "save-env", false, "with --save-as: save the values of --env and --header, too")
}

// loadSaved replaces "saved:NAME" by the saved target and flags, and returns
// any other target unchanged.
func (a *assessor) loadSaved(flags *pflag.FlagSet, target mcpsf.Target, f *saveFlags) (mcpsf.Target, error) {
	id, ok := strings.CutPrefix(target.Source, saved.Prefix)
	if !ok {
		return target, nil
	}
	if len(target.Command)+len(target.Args) > 0 {
		return target, program.Usage(errors.New("what follows -- is saved with the configuration; leave it out, or name the source itself"))
	}
	if f.as != "" {
		return target, program.Usage(errors.New("a saved configuration is not saved again; give its source, or copy its file"))
	}
	store, err := a.SavedConfigurations()
	if err != nil {
		return target, err
	}
	c, err := store.Load(id)
	if err != nil {
		return target, err
	}
	return c.Recall(flags)
}

// givenFlags are the flags of the command line, by name.
func givenFlags(flags *pflag.FlagSet) map[string][]string {
	given := map[string][]string{}
	flags.Visit(func(flag *pflag.Flag) {
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			given[flag.Name] = list.GetSlice()
			return
		}
		given[flag.Name] = []string{flag.Value.String()}
	})
	return given
}

// save saves the target and the given flags, if the user asked for it.
func (a *assessor) save(target mcpsf.Target, f *assessFlags) error {
	if f.save.as == "" {
		if f.save.values {
			return program.Usage(errors.New("--save-env says what --save-as keeps; give a name with --save-as"))
		}
		return nil
	}
	c, err := saved.Record(f.save.as, target, f.given, f.save.values, isLocal, time.Now())
	if err != nil {
		return err
	}
	store, err := a.SavedConfigurations()
	if err != nil {
		return err
	}
	if err := store.Save(c); err != nil {
		return err
	}
	fmt.Fprintln(a.Stderr, "saved; next time: mcpsf assess "+saved.Prefix+f.save.as)
	return nil
}

// isLocal says whether a source is a local path.
func isLocal(name string) bool {
	for _, r := range source.All() {
		if r.Match(mcpsf.Target{Source: name}) {
			return r.Kind() == "local" || r.Kind() == "archive"
		}
	}
	return false
}
