package assesscmd

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/analysiscache"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
	"github.com/mcpsf/mcpsf/internal/static/code"
)

// ReadSourceName is the command with which this program starts itself to parse
// untrusted source code: if a parser crashes or hangs, only that process ends.
const ReadSourceName = "read-source"

// ReadSource is the command of the parsing process.
func ReadSource(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use: ReadSourceName, Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return code.Child(p.Stdin, p.Stdout) },
	}
}

// The places where published advisories are looked up.
const (
	inDatabase = "database"
	online     = "online"
	nowhere    = "none"
)

// inspection says how packages are read. If the advisory database cannot be
// opened, the report says so: the server's behaviour can be observed without
// it.
func (a *assessor) inspection(kept *cache.Cache, advisories string, client *registry.Client) (*inspection.Options, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	analyses, closeAnalyses := a.memory(self, kept)
	how := &inspection.Options{Self: []string{self, ReadSourceName}, Memory: analyses, Release: closeAnalyses}
	switch advisories {
	case nowhere:
		how.Missing = "this was not asked for (--advisories none)"
		return how, nil
	case online:
		how.Advisories, err = advisory.NewOnline(a.Getenv("MCPSF_OSV_API"), program.WithoutCredentials(client), &advisory.OnlineOptions{UserAgent: a.UserAgent()})
		return how, err
	case inDatabase:
	default:
		closeAnalyses()
		return nil, program.Usage(fmt.Errorf("--advisories is %s, %s or %s, not %q", inDatabase, online, nowhere, advisories))
	}
	db, err := advisory.Open(kept.AdvisoriesDir(), nil)
	if err != nil {
		how.Missing = safetext.Clean(err.Error())
		return how, nil
	}
	how.Advisories = db
	how.Release = func() {
		closeAnalyses()
		_ = db.Close()
	}
	return how, nil
}

// memory is the cached analyses of this build of the program, because another
// build may find more.
func (a *assessor) memory(self string, kept *cache.Cache) (analyses *analysiscache.Cache, release func()) {
	reader := a.Version
	if info, err := os.Stat(self); err == nil {
		reader = fmt.Sprintf("%s %d %d", a.Version, info.Size(), info.ModTime().UnixNano())
	}
	analyses = analysiscache.Open(kept.SourceDir(), reader, time.Now())
	return analyses, func() {
		if !analyses.Changed() {
			return
		}
		err := kept.MakeSourceDir()
		if err == nil {
			err = analyses.Close()
		}
		if err != nil {
			fmt.Fprintln(a.Stderr, "warning: what was read of packages is not remembered: "+safetext.Clean(err.Error()))
		}
	}
}
