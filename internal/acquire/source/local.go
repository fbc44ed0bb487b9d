package source

import (
	"context"
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// local is a file or directory on this machine.
type local struct {
	// surveyed, if set, runs between surveying and copying. Tests change the
	// tree there.
	surveyed func()
}

var _ kind.Resolver = local{}

// Kind implements [kind.Resolver].
func (local) Kind() string { return KindLocal }

// Match implements [kind.Resolver]. Any text can be a path.
func (local) Match(mcpsf.Target) bool { return true }

// Resolve implements [kind.Resolver].
func (l local) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	at, err := staging.Locate(target.Source)
	if err != nil {
		return nil, nil, err
	}
	src, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, nil, staging.Unreadable(target.Source, err)
	}
	keep := false
	defer func() {
		if !keep {
			_ = src.Close()
		}
	}()
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()

	t, err := at.Survey(ctx, src, dst, opts.Limits)
	if err != nil {
		return nil, nil, err
	}
	t.MarkSecrets()
	if l.surveyed != nil {
		l.surveyed()
	}
	a := &mcpsf.Artifact{Kind: l.Kind(), Name: at.Name}
	p := &project.Project{Tree: t, Source: target.Source, Dir: at.Dir, File: at.File, Unstarted: opts.Unstarted}
	if opts.InPlace && at.File == "" {
		p.Root = src
		a.Tree, a.Digest, err = t.View(ctx, src)
	} else {
		p.Root, a.Dir = dst, stageDir
		a.Digest, err = t.Copy(ctx, src, dst)
	}
	if err != nil {
		return nil, nil, err
	}
	a.Files, a.Bytes = t.Files(), t.Bytes
	opts.Logger.Debug("read", "entries", len(t.Entries), "bytes", t.Bytes, "digest", a.Digest)
	if err := p.Describe(a, target); err != nil {
		return nil, nil, err
	}
	a.Notes = t.Notes.All()
	if a.Tree != nil {
		keep, a.Release = true, func() { _ = src.Close() }
	}
	return a, nil, nil
}
