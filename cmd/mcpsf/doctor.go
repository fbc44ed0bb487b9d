package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/interpreter"
	"github.com/mcpsf/mcpsf/internal/sandbox"
)

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine can do, and the fix for what it cannot",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			missing := 0
			for _, c := range append(sandbox.Checks(cmd.Context()), a.runtimes()...) {
				mark := "ok"
				switch {
				case !c.OK && c.Optional:
					mark = "--"
				case !c.OK:
					mark = "NO"
					missing++
				}
				fmt.Fprintf(a.stdout, "%-3s %-16s %s\n", mark, c.Name, c.Detail)
				if !c.OK && c.Fix != "" {
					fmt.Fprintf(a.stdout, "    %-16s fix: %s\n", "", c.Fix)
				}
			}
			if missing > 0 {
				return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the sandbox cannot run here; see the lines marked NO"}
			}
			fmt.Fprintln(a.stdout, "this machine can run the sandbox")
			return nil
		},
	}
}

// runtimes says which language runtimes servers would get.
func (a *app) runtimes() []sandbox.Check {
	var checks []sandbox.Check
	for _, rt := range []mcpsf.Runtime{mcpsf.RuntimeNode, mcpsf.RuntimePython} {
		c := sandbox.Check{Name: string(rt), Optional: true, Detail: "not found", Fix: "install it to assess servers that need it"}
		if found := interpreter.Installed(rt, a.getenv("PATH")); len(found) > 0 {
			c.OK, c.Detail = true, found[0].Version+" "+found[0].Host
			if found[0].Source != "" {
				c.Detail += ", shown as " + found[0].Mount
			}
		}
		checks = append(checks, c)
	}
	return checks
}
