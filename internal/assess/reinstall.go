package assess

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/source/npm"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/pypi"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
)

// no gap: a server that does not start gets no PASS
const (
	// maxInstalls bounds how often a server that does not start is installed.
	maxInstalls = 3
	// dependencyAge is how much later than a package its dependencies may be
	// released: a later dependency often repairs a release.
	dependencyAge = 7 * 24 * time.Hour
	// datePatience is how long the registries may take to say when versions came out.
	datePatience = time.Minute
)

// install does what is needed before the server can be started. before is the
// date of the latest releases that may be installed, zero for today.
func (s *sandboxedServer) install(ctx context.Context, before time.Time) error {
	if s.artifact.Install == nil {
		return nil
	}
	x := &installation.Installer{
		Fetcher: s.opts.fetcher(), Artifact: s.artifact, Toolchain: s.toolchain, Limits: s.opts.Sandbox.Install, Before: before,
		Machine: installation.Machine{
			Run: s.run, Home: s.home, Net: s.net, Seed: s.opts.Seed, Now: s.opts.Caller.Now,
			CPUs: s.opts.Sandbox.Limits.CPUs, Platform: s.opts.Sandbox.Platform,
		},
	}
	log := s.ledger.log
	done, err := x.Install(ctx, log)
	if err != nil {
		return err
	}
	s.removeInstalled()
	s.archive, s.uninstall = done.Archive, done.Release
	s.about = &done.About
	s.net.Remember(done.Marks)
	s.ledger.boxes = append(s.ledger.boxes, done.Seen)
	if events := log.Events(); len(events) > 0 {
		s.main.began = virtualclock.Nanotime() - int64(events[len(events)-1].T*1e9) // continue after the replayed events
	}
	return nil
}

// startOrReinstall starts the installed server, or says why that is not
// possible. If the server fails because it needs another runtime, or because its
// dependencies changed since it was published, it is installed again; so it is if it
// starts and all of its tools fail.
func (s *sandboxedServer) startOrReinstall(ctx context.Context) error {
	err := s.startInstalled(ctx)
	for range maxInstalls - 1 {
		if err != nil || s.about == nil || s.about.Failed != "" || len(s.opts.Target.Command) > 0 {
			break
		}
		if s.first.session.Initialized && (failsThroughout(s.first.session) == "" || !s.about.Before.IsZero()) {
			break
		}
		why, before, changed, changeErr := s.change(ctx, s.about.Before)
		if changeErr != nil || !changed {
			break
		}
		earlier := s.about
		if err = s.install(ctx, before); err != nil || s.about.Failed != "" {
			s.about = earlier
			break
		}
		s.main.ledger.takeBackAll(s.first.session.Gaps)
		s.about.Notes = append(s.about.Notes, why)
		err = s.startInstalled(ctx)
	}
	return err
}

// change decides what to change after a failed start, and says why: another
// runtime, the versions of a lock file in a published package, or older releases of
// dependencies.
func (s *sandboxedServer) change(ctx context.Context, before time.Time) (why string, day time.Time, changed bool, err error) {
	in, said := s.artifact.Install, s.first.said
	if s.first.session.Initialized {
		return s.older(ctx, "with today's versions of its dependencies none of its tools works: "+failsThroughout(s.first.session))
	}
	for _, fix := range entry.Diagnose(said, "", s.first.exit.Code, entry.Attempt{}) {
		if fix.Needs == "" || fix.Needs == in.Needs || interpreter.Satisfies(s.artifact.Runtime, s.toolchain.Interpreter.Version, fix.Needs) {
			continue
		}
		in.Needs = fix.Needs
		if err := s.equip(ctx); err != nil {
			return "", before, false, err
		}
		return "it asked for another runtime: " + fix.Why, before, true, nil
	}
	if in.Lock != nil && !in.Locked && in.Lock.Problem == "" && outdated(said) {
		in.Locked = true
		return "with today's versions of its dependencies it does not start, so those of its " + in.Lock.File + " were installed: " + listener.Reason(said), before, true, nil
	}
	if !before.IsZero() || !outdated(said) {
		return "", before, false, nil
	}
	return s.older(ctx, "with today's versions of its dependencies it does not start: "+listener.Reason(said))
}

// older says that the releases of the server's day are to be installed, if that is known.
func (s *sandboxedServer) older(ctx context.Context, reason string) (why string, day time.Time, changed bool, err error) {
	published := s.published(ctx)
	if published.IsZero() {
		return "", day, false, nil
	}
	return reason, published.Add(dependencyAge).UTC().Truncate(24 * time.Hour), true, nil
}

// published returns when the server was published. A project that was not has worked
// with the newest of the versions that it pins, on the day when that one came out.
func (s *sandboxedServer) published(ctx context.Context) time.Time {
	if s.artifact.Origin != nil && !s.artifact.Origin.Published.IsZero() {
		return s.artifact.Origin.Published
	}
	in, registries := s.artifact.Install, s.opts.Sources.Registry
	if registries == nil || in.Package != "" {
		return time.Time{}
	}
	released := pypi.Released
	if in.Manager == mcpsf.ManagerNPM {
		released = npm.Released
	}
	ctx, cancel := context.WithTimeout(ctx, datePatience)
	defer cancel()
	var newest time.Time
	for _, pin := range project.Pins(s.artifact.Dir, in) {
		if day := released(ctx, registries, pin.Name, pin.Version); day.After(newest) {
			newest = day
		}
	}
	return newest
}

// outdated reports whether a program failed because a dependency is not the
// version it was written for.
func outdated(said string) bool {
	for _, sign := range []string{
		"ModuleNotFoundError", "ImportError", "AttributeError", "TypeError",
		"ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED", "does not provide an export named",
	} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}

// startInstalled starts the installed server. If that is not possible, the
// events of the installation are still reported: a package must not be able to
// hide them by not being a server, or by leaving files that cannot be started.
func (s *sandboxedServer) startInstalled(ctx context.Context) error {
	if err := s.findBrowser(ctx); err != nil {
		return err
	}
	switch {
	case s.about == nil:
		first, chosen, err := s.main.start(ctx)
		if err == nil {
			s.first, s.chosen = first, chosen
		}
		return err
	case s.about.Failed != "":
		s.notStarted("the server could not be installed: " + s.about.Failed)
		return nil
	}
	first, chosen, err := s.findAndStart(ctx)
	if ctx.Err() != nil {
		return err
	}
	if err == nil {
		s.first, s.chosen = first, chosen
		return nil
	}
	s.opts.Caller.Progress.Warn(err.Error())
	s.notStarted("the server was installed and could not be started: " + err.Error())
	return nil
}

func (s *sandboxedServer) findAndStart(ctx context.Context) (*detonation, *launch.Launch, error) {
	scratch, err := os.MkdirTemp(s.run.Path, "installed-")
	if err != nil {
		return nil, nil, fmt.Errorf("making room: %w", err)
	}
	if err := project.Installed(ctx, s.archive, s.artifact, s.opts.Target, scratch, s.opts.fetcher().SourceOptions()); err != nil {
		return nil, nil, err
	}
	return s.main.start(ctx)
}

// notStarted sets the result of a server that never ran.
func (s *sandboxedServer) notStarted(why string) {
	s.first = &detonation{session: emptySession(why), wall: s.opts.Sandbox.Wall, linger: s.opts.Sandbox.Linger}
	s.chosen = &launch.Launch{}
}

// emptySession returns a session without any message.
func emptySession(why string) *mcpsf.Session {
	return &mcpsf.Session{
		Tools: []mcpsf.Tool{}, Resources: []mcpsf.Resource{}, Prompts: []mcpsf.Prompt{}, Calls: []mcpsf.Call{}, Ending: why,
	}
}
