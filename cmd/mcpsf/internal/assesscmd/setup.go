package assesscmd

import (
	"fmt"
	"log/slog"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/rulefiles"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// setup is what all servers of one command line share: the checked flags, and
// the opened files they name.
type setup struct {
	profile  plan.Profile
	network  internet.Mode
	memory   int64
	world    []decoys.File
	rules    *rules.Set
	logger   *slog.Logger
	registry *registry.Client
	cache    *cache.Cache
	inspect  *inspection.Options
}

func (s *setup) close() {
	s.inspect.Release()
	_ = s.cache.Close()
}

// setUp checks the flags and opens the files they name.
func (a *assessor) setUp(f *assessFlags) (*setup, error) {
	if err := f.output.print.Check(); err != nil {
		return nil, err
	}
	if err := f.output.failOn.Check(); err != nil {
		return nil, err
	}
	var s setup
	var err error
	if s.memory, err = f.sandbox.check(); err != nil {
		return nil, err
	}
	if s.world, err = worldFiles(f.target.world); err != nil {
		return nil, err
	}
	if s.profile, err = plan.ParseProfile(f.attack.profile); err != nil {
		return nil, program.Usage(err)
	}
	if s.network, err = internet.ParseMode(f.sandbox.network, !f.sandbox.noIntercept); err != nil {
		return nil, program.Usage(err)
	}
	if s.rules, err = rulefiles.All(a.Stderr, f.judge.rules, f.judge.detectors); err != nil {
		return nil, err
	}
	s.logger = a.logger(f.output.verbose)
	if s.registry, err = a.Registries(s.logger); err != nil {
		return nil, err
	}
	if s.cache, err = a.OpenCache(s.logger); err != nil {
		return nil, err
	}
	if s.inspect, err = a.inspection(s.cache, f.reading.advisories, s.registry); err != nil {
		_ = s.cache.Close()
		return nil, err
	}
	return &s, nil
}

// check returns the server's memory limit in bytes.
func (f *sandboxFlags) check() (memory int64, err error) {
	memory, err = program.ParseSize(f.memory)
	if err != nil || memory < 64<<20 {
		return 0, program.Usage(fmt.Errorf("--memory takes a size from 64m up such as 512m or 2g, not %q", f.memory))
	}
	if f.timeout <= 0 || f.cpus <= 0 || f.boxes <= 0 {
		return 0, program.Usage(fmt.Errorf("--timeout, --cpus and --boxes must be above zero"))
	}
	if f.platform != "systrap" && f.platform != "kvm" {
		return 0, program.Usage(fmt.Errorf("--platform is systrap or kvm, not %q", f.platform))
	}
	return memory, nil
}

// logger redacts the user's secrets.
func (a *assessor) logger(verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.Secrets.Writer(a.Stderr), &slog.HandlerOptions{Level: level, ReplaceAttr: safetext.Attr}))
}
