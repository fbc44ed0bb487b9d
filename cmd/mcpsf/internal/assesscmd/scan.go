package assesscmd

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// Scan reads a package without starting the server. service is nil if the user
// of this machine runs the command.
func Scan(p *program.Program, service *Service) *cobra.Command {
	a := &assessor{Program: p, service: service}
	f := assessFlags{scan: true}
	f.register(&pflag.FlagSet{}) // sets the defaults of flags that scan does not have
	cmd := &cobra.Command{
		Use:   "scan SOURCE",
		Short: "Read a package without starting the server",
		Long: `SOURCE is any source of mcpsf assess except a remote server.

The scan reads the package: its dependencies and their advisories, the
capabilities of its source code, obfuscation, and what its tool descriptions
say to a model. Dependencies are installed in the sandbox to learn which they
are; --no-install skips that. The server is not started: run mcpsf assess to
see what it does.

Exit codes: 0 finished, nothing at or above --fail-on; 1 findings at or above
it; 2 usage; 3 inconclusive, or below --min-confidence; 4 mcpsf itself failed.`,
		Example: `  mcpsf scan @modelcontextprotocol/server-filesystem
  mcpsf scan ./dir --no-install --format sarif
  mcpsf scan ./dir --format cyclonedx > sbom.json
  mcpsf scan pypi:mcp-server-git --fail-on medium --also sarif,spdx`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.command(cmd, args, &f) },
	}
	f.registerScan(cmd.Flags())
	return cmd
}
