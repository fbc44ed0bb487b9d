package machinecmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// Version shows the version.
func Version(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.Stdout, p.VersionLine())
			return err
		},
	}
}
