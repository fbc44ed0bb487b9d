package savedcmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess/saved"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// lineWidth is how wide the list of configurations is.
const lineWidth = 80

// List lists the saved configurations.
func List(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the saved configurations",
		Long:    "A configuration is saved with mcpsf assess --save-as ID, and used with\nmcpsf assess saved:ID.",
		Example: "  mcpsf assess @scope/name --profile aggressive --save-as name\n  mcpsf list\n  mcpsf assess saved:name",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := p.SavedConfigurations()
			if err != nil {
				return err
			}
			list, err := store.List()
			if err != nil {
				return err
			}
			printList(p.Stdout, list)
			return nil
		},
	}
}

func printList(out io.Writer, list []saved.Config) {
	if len(list) == 0 {
		fmt.Fprintln(out, "Nothing is saved yet. Save an assessment with: mcpsf assess SOURCE --save-as ID")
		return
	}
	width := len("ID")
	for _, c := range list {
		width = max(width, min(len(c.ID), 24))
	}
	line := func(id, day, source string) {
		s := fmt.Sprintf("%-*s  %-10s  %s", width, id, day, source)
		fmt.Fprintln(out, strings.TrimRight(ansi.Truncate(s, lineWidth, "..."), " "))
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
