package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/internal/acquire/analysiscache"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
	"github.com/mcpsf/mcpsf/internal/static/code"
)

// readSource is the command that this program starts itself with to read the
// source of others: what that can do to a parser ends there.
const readSource = "read-source"

func (a *app) scan() *cobra.Command {
	f := assessFlags{scan: true}
	f.add(&cobra.Command{}) // the defaults of what scan does not offer
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
it; 2 usage; 3 inconclusive; 4 mcpsf itself failed.`,
		Example: `  mcpsf scan @modelcontextprotocol/server-filesystem
  mcpsf scan ./dir --no-install --format sarif
  mcpsf scan ./dir --format cyclonedx > sbom.json
  mcpsf scan pypi:mcp-server-git --fail-on medium --also sarif,spdx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := a.prepare(cmd, args, &f)
			if err != nil {
				return err
			}
			return a.runAssess(cmd.Context(), target, &f)
		},
	}
	flags := cmd.Flags()
	f.print.add(cmd)
	flags.StringVar(&f.keep.also, "also", "", "also write these formats to the output directory: "+formats())
	flags.StringVarP(&f.output, "output", "o", "", "directory for the files of the scan (default ./reports/<run>)")
	flags.StringVar(&f.failOn, "fail-on", "high", "exit 1 if a finding has at least this severity: low, medium, high, critical, never")
	flags.StringArrayVar(&f.servers, "server", nil, "scan only this server of a client configuration; repeatable")
	flags.StringVar(&f.image, "image", "", "container image to install the package in, instead of this machine's runtimes")
	flags.StringArrayVar(&f.rules, "rules", nil, "directory with your own rules, used in addition to the built-in ones; repeatable")
	flags.StringSliceVar(&f.detectors, "detectors", nil, "use only these detectors: ids or patterns, -ID to exclude one (mcpsf detectors lists them)")
	f.addAdvisories(cmd)
	f.addExecutor(cmd)
	flags.BoolVar(&f.noInstall, "no-install", false, "do not install the dependencies; scan the package as published")
	flags.BoolVar(&f.noRepository, "no-repository", false, "do not compare the package with its source repository")
	f.decided.add(cmd)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log what mcpsf does")
	return cmd
}

func (f *assessFlags) addAdvisories(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.advisories, "advisories", inDatabase, "where to look up advisories: "+inDatabase+" (fetched by mcpsf db update), "+online+"\n(sends the package names to OSV), "+nowhere)
}

// source is what the reading process runs.
func (a *app) source() *cobra.Command {
	return &cobra.Command{
		Use: readSource, Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return code.Child(a.stdin, a.stdout) },
	}
}

// Where published advisories are looked up.
const (
	inDatabase = "database"
	online     = "online"
	nowhere    = "none"
)

// inspection says how packages are read. A database that cannot be opened is
// told in the report: what a server does can be seen without it.
func (a *app) inspection(kept *cache.Cache, advisories string, client *registry.Client) (*assess.Inspection, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	book, closeBook := a.memory(self, kept)
	how := &assess.Inspection{Self: []string{self, readSource}, Memory: book, Release: closeBook}
	switch advisories {
	case nowhere:
		how.Missing = "this was not asked for (--advisories none)"
		return how, nil
	case online:
		how.Advisories, err = advisory.NewOnline(a.getenv("MCPSF_OSV_API"), plainDoer{client}, &advisory.OnlineOptions{UserAgent: "mcpsf/" + versionOf()})
		return how, err
	case inDatabase:
	default:
		closeBook()
		return nil, usage(fmt.Errorf("--advisories is %s, %s or %s, not %q", inDatabase, online, nowhere, advisories))
	}
	db, err := advisory.Open(kept.AdvisoriesDir(), nil)
	if err != nil {
		how.Missing = safetext.Clean(err.Error())
		return how, nil
	}
	how.Advisories = db
	how.Release = func() {
		closeBook()
		_ = db.Close()
	}
	return how, nil
}

// memory is what this very program has read of packages: another build may
// see more in them.
func (a *app) memory(self string, kept *cache.Cache) (book *analysiscache.Cache, release func()) {
	reader := version
	if info, err := os.Stat(self); err == nil {
		reader = fmt.Sprintf("%s %d %d", version, info.Size(), info.ModTime().UnixNano())
	}
	book = analysiscache.Open(kept.SourceDir(), reader, time.Now())
	return book, func() {
		if !book.Changed() {
			return
		}
		err := kept.MakeSourceDir()
		if err == nil {
			err = book.Close()
		}
		if err != nil {
			fmt.Fprintln(a.stderr, "warning: what was read of packages is not remembered: "+safetext.Clean(err.Error()))
		}
	}
}
