package assesscmd

import (
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// Assess runs a server in the sandbox. service is nil if the user of this
// machine runs the command.
func Assess(p *program.Program, service *Service) *cobra.Command {
	a := &assessor{Program: p, service: service}
	var f assessFlags
	cmd := &cobra.Command{
		Use:     "assess SOURCE [-- COMMAND ARG...|-- --OPTION...]",
		Aliases: []string{"detonate", "analyze"},
		Short:   "Run a server in the sandbox, drive it, and judge what it did",
		Long: `SOURCE is one of

  @scope/name, npm:name@1.2.3            npm package
  pypi:name, pypi:name==1.2.3            PyPI package
  github:owner/repo@ref, https://...     GitHub repository
  ./dir, ./server.py, ./binary           local file or directory
  ./x.tgz, .zip, .whl, .mcpb             archive or MCP bundle
  oci:image:tag, oci-archive:file.tar    container image
  https://host/mcp, https://host/sse     remote server
  claude_desktop_config.json, mcp.json   every server of a client's configuration
  saved:NAME                             what was saved with --save-as NAME

The server is fetched, installed and started inside the sandbox; none of its
code runs outside. The start command is taken from the package; give another
after --. If what follows -- begins with an option, it is added to the command
that was found. A server that needs credentials gets well-formed fakes.

The server gets a fake network: every host answers, nothing leaves. --network
changes that:

  sinkhole          every host is fake (the default)
  none              there is no network
  allow             every public host is reachable, through mcpsf
  allow=HOST,...    only these and their subdomains are; the rest is fake

This machine and its own network are never reachable.

A remote server is tested over the network and not sandboxed: what it does on
its machine is not observed, so the verdict is never PASS. Only tools that are
declared read-only are called, unless --yes-i-may-attack-this is given.

At the end of --timeout, and when it is interrupted, the run ends and reports
what it saw until then. Interrupt it twice to end it at once, without a report.

Exit codes: 0 finished, nothing at or above --fail-on; 1 findings at or above
it; 2 usage; 3 inconclusive, interrupted, or below --min-confidence; 4 mcpsf
itself failed.`,
		Example: `  mcpsf assess @modelcontextprotocol/server-filesystem
  mcpsf assess pypi:mcp-server-git==2025.1.14
  mcpsf assess ./dir -- python3 server.py
  mcpsf assess @playwright/mcp -- --port 8931
  mcpsf assess ~/.config/Claude/claude_desktop_config.json --server github
  mcpsf assess ./dir --format json --fail-on medium
  mcpsf assess ./dir --fail-on malicious:low,weak:critical --min-confidence high`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.command(cmd, args, &f) },
	}
	f.register(cmd.Flags())
	return cmd
}
