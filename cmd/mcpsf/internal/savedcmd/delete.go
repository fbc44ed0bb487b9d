package savedcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess/saved"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Delete deletes a saved configuration.
func Delete(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a saved configuration",
		RunE: withID(p, "delete", func(store *saved.Store, id string) error {
			if err := store.Delete(id); err != nil {
				return err
			}
			fmt.Fprintln(p.Stdout, "deleted "+safetext.Clean(id))
			return nil
		}),
	}
}

// withID makes a command that takes one ID.
func withID(p *program.Program, name string, do func(store *saved.Store, id string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return program.Usage(errors.New(name + " needs the ID of one saved configuration; mcpsf list shows them"))
		}
		store, err := p.SavedConfigurations()
		if err != nil {
			return err
		}
		return do(store, strings.TrimPrefix(args[0], saved.Prefix))
	}
}
