package reportcmd

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/judge/policy"
	"github.com/mcpsf/mcpsf/internal/report"
)

// Policy generates a least-privilege policy from a stored run.
func Policy(p *program.Program) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "policy RUN",
		Short: "Generate a least-privilege policy from a stored run",
		Long: `RUN is the directory that a run was written to. What its server used is told by
tool, or as settings for what can hold it to that:

  table      what each tool used, and whether it is granted (the default)
  toolhive   a permission profile
  docker     a catalog for Docker's MCP gateway
  vscode     a sandbox block for mcp.json
  seccomp    a sketch of a profile for container runtimes
  landlock   a sketch of a script for landrun

What nobody explains, planted secrets and what a finding is about are not
granted; comments name them.`,
		Example: "  mcpsf policy reports/20260102-030405-7f3a\n  mcpsf policy reports/20260102-030405-7f3a --for toolhive > profile.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return program.Usage(errors.New("policy needs the directory of one RUN; try: mcpsf policy reports/<run>"))
			}
			r, err := report.Load(args[0])
			if err != nil {
				return err
			}
			return policy.Write(p.Stdout, policy.Format(format), r)
		},
	}
	cmd.Flags().StringVar(&format, "for", string(policy.FormatTable), "policy format: "+policyFormats())
	return cmd
}

func policyFormats() string {
	var names []string
	for _, f := range policy.All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
