package machinecmd

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

// doctorCommand is the command doctor.
type doctorCommand struct{ *program.Program }

// Doctor checks whether this machine has what mcpsf needs.
func Doctor(p *program.Program) *cobra.Command {
	d := &doctorCommand{p}
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine's requirements, and say how to fix what is missing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			missing := 0
			for _, check := range d.checks(cmd.Context()) {
				mark := "ok"
				switch {
				case !check.OK && check.Optional:
					mark = "--"
				case !check.OK:
					mark = "NO"
					missing++
				}
				fmt.Fprintf(p.Stdout, "%-3s %-16s %s\n", mark, check.Name, check.Detail)
				if !check.OK && check.Fix != "" {
					fmt.Fprintf(p.Stdout, "    %-16s fix: %s\n", "", check.Fix)
				}
			}
			if missing > 0 {
				return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the sandbox cannot run here; see the lines marked NO"}
			}
			fmt.Fprintln(p.Stdout, "this machine can run the sandbox")
			return nil
		},
	}
}

// checks runs all checks.
func (d *doctorCommand) checks(ctx context.Context) []box.Check {
	all := append(box.Checks(ctx), d.runtimes()...)
	return append(append(all, d.registries(ctx)...), d.cacheCheck(), d.advisoryCheck())
}

// registryPatience is how long a registry may take to answer.
const registryPatience = 10 * time.Second

// registries checks the registries that packages would come from.
func (d *doctorCommand) registries(ctx context.Context) []box.Check {
	ctx, cancel := context.WithTimeout(ctx, registryPatience)
	defer cancel()
	client, err := d.Registries(d.Warnings())
	if err != nil {
		return []box.Check{{Name: "registries", Optional: true, Detail: "settings", Fix: err.Error()}}
	}
	var checks []box.Check
	ask := func(name string, r registry.Registry) {
		c := box.Check{Name: name, Optional: true, OK: true, Detail: r.URL.String()}
		if response, err := client.Do(ctx, &registry.Request{Registry: r, Method: http.MethodHead, URL: "."}); err != nil {
			c.OK, c.Fix = false, registry.Explain("the registry", r, 0, err).Error()
		} else {
			_ = response.Body.Close()
		}
		checks = append(checks, c)
	}
	ask("npm registry", client.NPM(""))
	for _, r := range client.PyPI() {
		ask("python index", r)
	}
	return checks
}

// cacheCheck shows the cache's directory.
func (d *doctorCommand) cacheCheck() box.Check {
	c := box.Check{Name: "cache", Optional: true}
	kept, err := d.OpenCache(d.Warnings())
	if err != nil {
		c.Detail, c.Fix = "not usable", err.Error()
		return c
	}
	defer kept.Close()
	c.OK, c.Detail = true, kept.Dir()
	return c
}

// advisoryCheck says whether packages can be looked up without a network.
func (d *doctorCommand) advisoryCheck() box.Check {
	c := box.Check{Name: "advisories", Optional: true, Detail: "none", Fix: "mcpsf db update brings what is published about packages"}
	kept, err := d.OpenCache(d.Warnings())
	if err != nil {
		return c
	}
	defer kept.Close()
	db, err := advisory.Open(kept.AdvisoriesDir(), nil)
	if err != nil {
		return c
	}
	defer db.Close()
	records, stale := 0, false
	for _, s := range db.Status() {
		records, stale = records+s.Records, stale || s.Stale
	}
	if records == 0 {
		return c
	}
	c.OK, c.Detail = !stale, fmt.Sprintf("%d records", records)
	if stale {
		c.Detail += ", too old to say that something is not in there"
	}
	return c
}

// runtimes shows which language runtimes servers would get.
func (d *doctorCommand) runtimes() []box.Check {
	var checks []box.Check
	for _, rt := range []mcpsf.Runtime{mcpsf.RuntimeNode, mcpsf.RuntimePython} {
		c := box.Check{Name: string(rt), Optional: true, Detail: "not found", Fix: "install it to assess servers that need it"}
		if found := interpreter.Installed(rt, d.Getenv("PATH")); len(found) > 0 {
			c.OK, c.Detail = true, found[0].Version+" "+found[0].Host
			if found[0].Source != "" {
				c.Detail += ", shown as " + found[0].Mount
			}
		}
		checks = append(checks, c)
	}
	return checks
}
