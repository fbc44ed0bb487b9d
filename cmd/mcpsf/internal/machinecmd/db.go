package machinecmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

// dbCommand is the command db.
type dbCommand struct{ *program.Program }

// DB fetches published advisories and shows which are stored.
func DB(p *program.Program) *cobra.Command {
	c := &dbCommand{p}
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Fetch published advisories, and show which are stored",
		Long: `Packages of a server are looked up in a database of published advisories about
vulnerable and malicious packages (OSV). It is on this machine, so that nobody
learns what is looked up; it lives in the cache, see MCPSF_CACHE.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return program.Usage(fmt.Errorf("db has no command %q; it has update and status", args[0]))
			}
			return program.Usage(errors.New("db needs a command: update or status"))
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(c.update(), c.status())
	return cmd
}

func (c *dbCommand) update() *cobra.Command {
	var opts advisory.UpdateOptions
	var quiet bool
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Fetch the newest advisories",
		Long: `Exports are downloaded from OSV's public bucket, if they are newer than what is
there, and replace it as a whole. Proxy variables are honoured.

--from takes the address of a mirror or a directory that has ECOSYSTEM/all.zip
in it, or one such zip. What fails leaves the database as it was.`,
		Example: "  mcpsf db update\n  mcpsf db update --ecosystem npm,PyPI\n" +
			"  mcpsf db update --from https://mirror.example/osv\n  mcpsf db update --from ./npm/all.zip",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.runUpdate(cmd.Context(), &opts, quiet)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.From, "from", "", "file, directory or URL of the export (default: OSV)")
	flags.StringSliceVar(&opts.Ecosystems, "ecosystem", nil, "ecosystems, separated by commas (default npm, PyPI,\nGo, crates.io, Maven, Debian, Alpine)")
	flags.BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return cmd
}

func (c *dbCommand) runUpdate(ctx context.Context, opts *advisory.UpdateOptions, quiet bool) error {
	kept, err := c.OpenCache(c.Warnings())
	if err != nil {
		return err
	}
	defer kept.Close()
	client, err := c.Registries(c.Warnings())
	if err != nil {
		return err
	}
	defer client.Close()
	dir, err := kept.MakeAdvisoriesDir()
	if err != nil {
		return err
	}
	progress := c.NewProgress(quiet)
	defer progress.Stop()
	opts.Client, opts.Progress = program.WithoutCredentials(client), downloadProgress(progress)
	done, err := advisory.Update(ctx, dir, opts)
	if err == nil {
		progress.Done("")
	}
	progress.Stop()
	c.showUpdated(done)
	return err
}

// downloadProgress shows one ecosystem after the other.
func downloadProgress(p program.Progress) func(ecosystem string, done, total int64) {
	current := ""
	return func(ecosystem string, done, total int64) {
		if ecosystem != current {
			current = ecosystem
			p.Step("fetch", "advisories about "+ecosystem)
		}
		text := fmt.Sprintf("advisories about %s: %s", ecosystem, byteSize(done))
		if total > 0 {
			text += " of " + byteSize(total)
		}
		p.Update(text)
	}
}

func (c *dbCommand) status() *cobra.Command {
	var format, staleAfter string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the stored advisories and their age",
		Long: `NEWEST is when the last of the records was changed, FETCHED when they were
brought here, or last found to be the newest there are.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format != "table" && format != "json" {
				return program.Usage(fmt.Errorf("--format is table or json, not %q", format))
			}
			age, err := parseAge(staleAfter)
			if err != nil || age <= 0 {
				return program.Usage(fmt.Errorf("--stale-after takes an age such as 12h or 7d, not %q", staleAfter))
			}
			return c.runStatus(age, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "output format: table, json")
	cmd.Flags().StringVar(&staleAfter, "stale-after", "7d", "age at which the database is stale")
	return cmd
}

func (c *dbCommand) runStatus(stale time.Duration, asJSON bool) error {
	kept, err := c.OpenCache(c.Warnings())
	if err != nil {
		return err
	}
	defer kept.Close()
	db, err := advisory.Open(kept.AdvisoriesDir(), &advisory.Options{Stale: stale})
	if err != nil {
		return err
	}
	defer db.Close()
	if asJSON {
		return c.showJSON(kept.AdvisoriesDir(), db.Status())
	}
	c.showStatus(kept.AdvisoriesDir(), db.Status())
	return nil
}
