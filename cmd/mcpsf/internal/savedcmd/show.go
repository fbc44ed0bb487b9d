package savedcmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess/saved"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Show shows a saved configuration.
func Show(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a saved configuration",
		RunE: withID(p, "show", func(store *saved.Store, id string) error {
			c, err := store.Load(id)
			if err != nil {
				return err
			}
			printConfig(p.Stdout, c)
			return nil
		}),
	}
}

// printConfig shows a configuration, without the values of secrets.
func printConfig(out io.Writer, c *saved.Config) {
	line := func(name, value string) {
		head := fmt.Sprintf("%-11s", safetext.Clean(name))
		if len(head) > 11 {
			head += " "
		}
		for _, part := range wording.Fold(safetext.Clean(value), lineWidth-len(head)) {
			fmt.Fprintln(out, strings.TrimRight(head+part, " "))
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
