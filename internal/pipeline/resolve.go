package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/interpreter"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/sandbox"
	"github.com/mcpsf/mcpsf/internal/source"
)

// resolve turns the target into digest-pinned bytes.
func resolve(ctx context.Context, opts *Options, run *sandbox.RunDir) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	opts.Progress.Step("resolve", opts.Target.Source)
	a, facts, err := source.ResolveWithFacts(ctx, opts.Target, run.Stage(), opts.source())
	if err != nil {
		return nil, nil, err
	}
	text := report.Count(a.Files, "file") + ", " + shortDigest(a.Digest)
	if a.Version != "" {
		text = a.Name + " " + a.Version + ", " + text
	}
	opts.Progress.Done(text)
	return a, facts, nil
}

func (o *Options) source() *source.Options {
	s := &source.Options{Logger: o.Logger, Registry: o.Registry, Trees: o.trees(), Progress: func(done, total int64) {
		if total > 0 {
			o.Progress.Update(fmt.Sprintf("downloading %.1f of %.1f MB", megabytes(done), megabytes(total)))
			return
		}
		o.Progress.Update(fmt.Sprintf("downloading %.1f MB", megabytes(done)))
	}}
	if o.Cache != nil {
		s.Cache = o.Cache
	}
	if pythons := interpreter.Installed(mcpsf.RuntimePython, o.HostPath); len(pythons) > 0 {
		s.Python = pythons[0].Version
	}
	return s
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }

// install does what has to be done before the server can be started; the
// result is nil if nothing has to.
func (st *stage) install(ctx context.Context) (*mcpsf.Installation, error) {
	if st.artifact.Install == nil {
		return nil, nil
	}
	x := &installer{opts: st.opts, run: st.run, artifact: st.artifact, equipment: st.equipment, home: st.home}
	done, err := x.do(ctx, st.log)
	if err != nil {
		return nil, err
	}
	st.archive, st.released = done.archive, done.release
	st.totals = append(st.totals, done.seen)
	if events := st.log.Events(); len(events) > 0 {
		st.began = nanotime() - int64(events[len(events)-1].T*1e9) // its time goes on from there
	}
	return &done.about, nil
}

func (st *stage) release() {
	if st.released != nil {
		st.released()
	}
}

// assess starts what was installed, or says why there is nothing to start.
func (st *stage) assess(ctx context.Context, about *mcpsf.Installation) (*detonation, *launch, error) {
	if about != nil && about.Failed != "" {
		return st.unstarted(about.Failed), &launch{}, nil
	}
	if about != nil {
		scratch := filepath.Join(st.run.Path, "installed")
		if err := os.Mkdir(scratch, 0o700); err != nil {
			return nil, nil, fmt.Errorf("making room: %w", err)
		}
		if err := source.Installed(ctx, st.archive, st.artifact, st.opts.Target, scratch, st.opts.source()); err != nil {
			return nil, nil, err
		}
	}
	return st.start(ctx)
}

// unstarted is the result of a server that never ran.
func (st *stage) unstarted(why string) *detonation {
	return &detonation{
		session: &mcpsf.Session{
			Tools: []mcpsf.Tool{}, Resources: []mcpsf.Resource{}, Prompts: []mcpsf.Prompt{}, Calls: []mcpsf.Call{},
			Ending: "the server could not be installed: " + why,
		},
		wall: st.opts.Wall, linger: st.opts.Linger,
	}
}
