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
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// resolve turns the target into digest-pinned bytes.
func resolve(ctx context.Context, opts *Options, how *kind.Options, run *box.RunDir) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	opts.Progress.Step("resolve", opts.Target.Source)
	a, facts, err := source.ResolveWithFacts(ctx, opts.Target, run.Stage(), how)
	if err != nil {
		return nil, nil, err
	}
	text := wording.Count(a.Files, "file") + ", " + shortDigest(a.Digest)
	if a.Version != "" {
		text = a.Name + " " + a.Version + ", " + text
	}
	opts.Progress.Done(text)
	return a, facts, nil
}

func (o *Options) source() *kind.Options {
	s := &kind.Options{Logger: o.Logger, Registry: o.Registry, Trees: o.trees(), Progress: func(done, total int64) {
		if total > 0 {
			o.Progress.Update(fmt.Sprintf("downloading %.1f of %.1f MB", megabytes(done), megabytes(total)))
			return
		}
		o.Progress.Update(fmt.Sprintf("downloading %.1f MB", megabytes(done)))
	}}
	if o.Cache != nil {
		s.Cache = o.Cache
	}
	if o.PublicOnly {
		s.Control = remote.NewDialer(false).Control
	}
	if pythons := interpreter.Installed(mcpsf.RuntimePython, o.HostPath); len(pythons) > 0 {
		s.Python = pythons[0].Version
	}
	return s
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }

// install does what has to be done before the server can be started; the
// result is nil if nothing has to. before is the day up to which registries
// are believed, zero for today.
func (st *stage) install(ctx context.Context, before time.Time) (*mcpsf.Installation, error) {
	if st.artifact.Install == nil {
		return nil, nil
	}
	x := &installer{
		opts: st.opts, run: st.run, artifact: st.artifact, equipment: st.equipment, home: st.home, net: st.net, before: before,
	}
	done, err := x.do(ctx, st.log)
	if err != nil {
		return nil, err
	}
	st.release()
	st.archive, st.released = done.archive, done.release
	st.net.remember(done.marks)
	st.totals = append(st.totals, done.seen)
	if events := st.log.Events(); len(events) > 0 {
		st.began = nanotime() - int64(events[len(events)-1].T*1e9) // its time goes on from there
	}
	return &done.about, nil
}

func (st *stage) release() {
	if st.released != nil {
		st.released()
		st.released = nil
	}
}

// maxInstalls bounds how often a server that does not start is installed.
const maxInstalls = 3

// assess starts what was installed, or says why there is nothing to start.
// What does not start for want of another runtime, or because its dependencies
// have changed since it was published, is installed once more.
func (st *stage) assess(ctx context.Context, about *mcpsf.Installation) (*detonation, *launch, *mcpsf.Installation, error) {
	d, given, err := st.startInstalled(ctx, about)
	for range maxInstalls - 1 {
		if err != nil || about == nil || about.Failed != "" || d.session.Initialized || len(st.opts.Target.Command) > 0 {
			break
		}
		why, before, changed, equipErr := st.change(ctx, d, about.Before)
		if equipErr != nil || !changed {
			break
		}
		again, installErr := st.install(ctx, before)
		if installErr != nil || again.Failed != "" {
			err = installErr
			break
		}
		again.Notes = append(again.Notes, why)
		about = again
		d, given, err = st.startInstalled(ctx, about)
	}
	return d, given, about, err
}

// change decides what to do differently after a start that failed, and says
// why: another runtime, or the registries as they were.
func (st *stage) change(ctx context.Context, d *detonation, before time.Time) (why string, day time.Time, changed bool, err error) {
	in, rt := st.artifact.Install, st.artifact.Runtime
	for _, fix := range entry.Diagnose(d.said, "", d.exit.Code, entry.Attempt{}) {
		if fix.Needs == "" || fix.Needs == in.Needs || interpreter.Satisfies(rt, st.equipment.interpreter.Version, fix.Needs) {
			continue
		}
		in.Needs = fix.Needs
		gear, err := equip(ctx, st.opts, st.artifact)
		if err != nil {
			return "", before, false, err
		}
		st.equipment.release()
		st.equipment = gear
		return "it asked for another runtime: " + fix.Why, before, true, nil
	}
	origin := st.artifact.Origin
	if origin == nil || origin.Published.IsZero() || !before.IsZero() || !outdated(d.said) {
		return "", before, false, nil
	}
	day = origin.Published.Add(grace).UTC().Truncate(24 * time.Hour)
	return "with today's versions of its dependencies it does not start: " + lastWords(d.said), day, true, nil
}

// grace is how much later than a package its dependencies may be from: a
// release is often repaired by one of those.
const grace = 7 * 24 * time.Hour

// outdated reports whether a program failed because what it depends on is not
// what it was written for.
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

// startInstalled starts what was installed. Where that cannot be done, what the
// installation did is still to be told: a package must not be able to hide it
// by being no server, or by leaving something behind that cannot be started.
func (st *stage) startInstalled(ctx context.Context, about *mcpsf.Installation) (*detonation, *launch, error) {
	switch {
	case about == nil:
		return st.start(ctx)
	case about.Failed != "":
		return st.unstarted("the server could not be installed: " + about.Failed), &launch{}, nil
	}
	d, given, err := st.findAndStart(ctx)
	if err == nil || ctx.Err() != nil {
		return d, given, err
	}
	st.opts.Progress.Warn(err.Error())
	return st.unstarted("the server was installed and could not be started: " + err.Error()), &launch{}, nil
}

func (st *stage) findAndStart(ctx context.Context) (*detonation, *launch, error) {
	scratch, err := os.MkdirTemp(st.run.Path, "installed-")
	if err != nil {
		return nil, nil, fmt.Errorf("making room: %w", err)
	}
	if err := project.Installed(ctx, st.archive, st.artifact, st.opts.Target, scratch, st.opts.source()); err != nil {
		return nil, nil, err
	}
	return st.start(ctx)
}

// unstarted is the result of a server that never ran.
func (st *stage) unstarted(why string) *detonation {
	return &detonation{
		session: &mcpsf.Session{
			Tools: []mcpsf.Tool{}, Resources: []mcpsf.Resource{}, Prompts: []mcpsf.Prompt{}, Calls: []mcpsf.Call{},
			Ending: why,
		},
		wall: st.opts.Wall, linger: st.opts.Linger,
	}
}
