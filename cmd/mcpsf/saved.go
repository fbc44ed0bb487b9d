package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/assess/saved"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// savedWidth is how wide the list of configurations is.
const savedWidth = 80

func (a *app) list() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the saved configurations",
		Long:    "A configuration is saved with mcpsf assess --save-as ID, and used with\nmcpsf assess saved:ID.",
		Example: "  mcpsf assess @scope/name --profile aggressive --save-as name\n  mcpsf list\n  mcpsf assess saved:name",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := a.configs()
			if err != nil {
				return err
			}
			list, err := store.List()
			if err != nil {
				return err
			}
			a.listConfigs(list)
			return nil
		},
	}
}

func (a *app) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a saved configuration",
		RunE: a.withConfig("show", func(store *saved.Store, id string) error {
			c, err := store.Load(id)
			if err != nil {
				return err
			}
			a.showConfig(c)
			return nil
		}),
	}
}

func (a *app) remove() *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a saved configuration",
		RunE: a.withConfig("delete", func(store *saved.Store, id string) error {
			if err := store.Delete(id); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, "deleted "+safetext.Clean(id))
			return nil
		}),
	}
}

// withConfig takes the one ID that a command needs.
func (a *app) withConfig(name string, do func(store *saved.Store, id string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage(errors.New(name + " needs the ID of one saved configuration; mcpsf list shows them"))
		}
		store, err := a.configs()
		if err != nil {
			return err
		}
		return do(store, strings.TrimPrefix(args[0], saved.Prefix))
	}
}

// configs are those of the user.
func (a *app) configs() (*saved.Store, error) {
	dir, err := saved.Dir(a.getenv)
	if err != nil {
		return nil, err
	}
	return saved.New(dir), nil
}

func (a *app) listConfigs(list []saved.Config) {
	if len(list) == 0 {
		fmt.Fprintln(a.stdout, "Nothing is saved yet. Save an assessment with: mcpsf assess SOURCE --save-as ID")
		return
	}
	width := len("ID")
	for _, c := range list {
		width = max(width, min(len(c.ID), 24))
	}
	line := func(id, day, source string) {
		s := fmt.Sprintf("%-*s  %-10s  %s", width, id, day, source)
		fmt.Fprintln(a.stdout, strings.TrimRight(ansi.Truncate(s, savedWidth, "..."), " "))
	}
	line("ID", "SAVED", "SOURCE")
	for _, c := range list {
		source := safetext.Clean(strings.Join(append([]string{c.Source}, c.Command...), " "))
		day := c.Saved.Format(time.DateOnly)
		if c.Source == "" {
			day, source = "-", "cannot be read; mcpsf show says why"
		}
		line(c.ID, day, source)
	}
}

// showConfig tells a configuration, without the values of secrets.
func (a *app) showConfig(c *saved.Config) {
	line := func(name, value string) {
		head := fmt.Sprintf("%-11s", safetext.Clean(name))
		if len(head) > 11 {
			head += " "
		}
		for _, part := range wording.Fold(safetext.Clean(value), savedWidth-len(head)) {
			fmt.Fprintln(a.stdout, strings.TrimRight(head+part, " "))
			head = strings.Repeat(" ", len(head))
		}
	}
	line("id", c.ID)
	line("saved", c.Saved.Format(time.RFC3339))
	line("source", c.Source)
	if rest := slices.Concat(c.Command, c.Args); len(rest) > 0 {
		line("--", strings.Join(rest, " "))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Flags)) {
		line("--"+name, strings.Join(c.Flags[name], ", "))
	}
	for _, s := range c.Secrets {
		kept := "its value was not saved; give it with --" + s.Flag
		if s.Value != nil {
			kept = "its value was saved"
		}
		line("--"+s.Flag, s.Name+" ("+kept+")")
	}
}

// recall takes the place of "saved:NAME" with what was saved, and leaves any
// other target alone.
func (a *app) recall(cmd *cobra.Command, target mcpsf.Target, f *assessFlags) (mcpsf.Target, error) {
	id, ok := strings.CutPrefix(target.Source, saved.Prefix)
	if !ok {
		return target, nil
	}
	if len(target.Command)+len(target.Args) > 0 {
		return target, usage(errors.New("what follows -- is saved with the configuration; leave it out, or name the source itself"))
	}
	if f.saveAs != "" {
		return target, usage(errors.New("a saved configuration is not saved again; give its source, or copy its file"))
	}
	store, err := a.configs()
	if err != nil {
		return target, err
	}
	c, err := store.Load(id)
	if err != nil {
		return target, err
	}
	return c.Recall(cmd.Flags())
}

// givenFlags are those of the command line, by name.
func givenFlags(cmd *cobra.Command) map[string][]string {
	given := map[string][]string{}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			given[flag.Name] = list.GetSlice()
			return
		}
		given[flag.Name] = []string{flag.Value.String()}
	})
	return given
}

// record saves the target and the flags that were given, if the user wants it.
func (a *app) record(target mcpsf.Target, f *assessFlags) error {
	if f.saveAs == "" {
		if f.saveEnv {
			return usage(errors.New("--save-env says what --save-as keeps; give a name with --save-as"))
		}
		return nil
	}
	c, err := saved.Record(f.saveAs, target, f.given, f.saveEnv, isLocal, time.Now())
	if err != nil {
		return err
	}
	store, err := a.configs()
	if err != nil {
		return err
	}
	if err := store.Save(c); err != nil {
		return err
	}
	fmt.Fprintln(a.stderr, "saved; next time: mcpsf assess "+saved.Prefix+f.saveAs)
	return nil
}

// isLocal tells whether a source is a path of this machine.
func isLocal(name string) bool {
	for _, r := range source.All() {
		if r.Match(mcpsf.Target{Source: name}) {
			return r.Kind() == "local" || r.Kind() == "archive"
		}
	}
	return false
}
