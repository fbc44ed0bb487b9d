package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine's requirements, and say how to fix what is missing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			missing := 0
			for _, c := range a.checks(cmd.Context()) {
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

// checks is everything that is looked at.
func (a *app) checks(ctx context.Context) []box.Check {
	all := append(box.Checks(ctx), a.runtimes()...)
	return append(append(all, a.registries(ctx)...), a.cacheCheck(), a.advisoryCheck())
}

// registryPatience is how long a registry may take to show that it is there.
const registryPatience = 10 * time.Second

// registries asks the registries that packages would come from.
func (a *app) registries(ctx context.Context) []box.Check {
	ctx, cancel := context.WithTimeout(ctx, registryPatience)
	defer cancel()
	client, err := registry.New(&registry.Options{
		Getenv: a.getenv, Home: a.getenv("HOME"), UserAgent: "mcpsf/" + versionOf(), Logger: a.warnings(),
	})
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

// cacheCheck says where what was downloaded and installed is kept.
func (a *app) cacheCheck() box.Check {
	c := box.Check{Name: "cache", Optional: true}
	kept, err := a.openCache(a.warnings())
	if err != nil {
		c.Detail, c.Fix = "not usable", err.Error()
		return c
	}
	defer kept.Close()
	c.OK, c.Detail = true, kept.Dir()
	return c
}

// advisoryCheck says whether packages can be looked up without a network.
func (a *app) advisoryCheck() box.Check {
	c := box.Check{Name: "advisories", Optional: true, Detail: "none", Fix: "mcpsf db update brings what is published about packages"}
	kept, err := a.openCache(a.warnings())
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

// runtimes says which language runtimes servers would get.
func (a *app) runtimes() []box.Check {
	var checks []box.Check
	for _, rt := range []mcpsf.Runtime{mcpsf.RuntimeNode, mcpsf.RuntimePython} {
		c := box.Check{Name: string(rt), Optional: true, Detail: "not found", Fix: "install it to assess servers that need it"}
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
