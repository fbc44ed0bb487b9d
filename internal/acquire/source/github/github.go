// Package github is the source for repositories on GitHub.
//
// In: "github:owner/repo/dir@ref" or the URL of a page. Out: the artifact of
// that directory at one commit, from GitHub's archive of it.
package github

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Resolver is a repository on GitHub, pinned to a commit.
type Resolver struct{}

var _ kind.Resolver = Resolver{}

// Kind implements [kind.Resolver].
func (Resolver) Kind() string { return "github" }

// Match implements [kind.Resolver].
func (Resolver) Match(target mcpsf.Target) bool { return matches(target.Source) }

// Resolve implements [kind.Resolver]. It resolves the ref to a commit and
// unpacks that commit's archive: all of it, or one directory.
func (k Resolver) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	repo, err := parseSpec(target.Source)
	if err != nil {
		return nil, nil, err
	}
	if opts.Registry == nil {
		return nil, nil, usererr.Usage("%s cannot be fetched: there is no way to GitHub here; download it and name the directory", usererr.Quote(target.Source))
	}
	dir, err := os.MkdirTemp(filepath.Dir(stageDir), "github-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a directory for the download: %w", err)
	}
	defer os.RemoveAll(dir)
	f := &fetcher{api: opts.Registry.GitHub(), opts: opts, dir: dir}
	pin, err := f.resolve(ctx, repo)
	if err != nil {
		return nil, nil, err
	}
	file, err := f.archive(ctx, &pin)
	if err != nil {
		return nil, nil, err
	}
	a, facts, err := k.unpack(ctx, target, f, pin, file, stageDir)
	if err != nil {
		return nil, nil, err
	}
	a.Notes = append(f.notes, a.Notes...)
	return a, facts, nil
}

// unpack fills the stage from the archive and describes it.
func (k Resolver) unpack(ctx context.Context, target mcpsf.Target, f *fetcher, pin pinned, file, stageDir string) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()
	u := archive.New(target.Source, dst, f.opts.Limits)
	g := &tarball{Unpacker: u, pin: pin}
	if err := g.unpack(ctx, file); err != nil {
		return nil, nil, err
	}
	t := u.Tree
	if t.Files() == 0 {
		return nil, nil, g.nothing()
	}
	f.keep(pin, file)
	a := &mcpsf.Artifact{
		Kind: k.Kind(), Name: path.Base(path.Join(pin.repo.name, pin.repo.sub)),
		Digest: t.Digest(), Files: t.Files(), Bytes: t.Bytes, Dir: stageDir,
		Origin: &mcpsf.Origin{URL: f.archiveURL(pin), Pin: pin.commit, Published: g.committed, Offline: pin.offline},
	}
	p := &project.Project{Tree: t, Root: dst, Source: target.Source, Dir: stageDir, Unstarted: f.opts.Unstarted}
	if err := p.Describe(a, target); err != nil {
		return nil, nil, err
	}
	g.noteMissing(p)
	a.Notes = append(t.Notes.All(), a.Notes...)
	return a, u.Facts(), nil
}

// noteMissing reports what a repository refers to and its archive lacks.
func (g *tarball) noteMissing(p *project.Project) {
	const mark = "version https://git-lfs.github.com/spec/"
	if !g.named {
		g.Tree.Notes.Add("the archive does not say that it is commit %s, as those of GitHub do", short(g.pin.commit))
	}
	if g.submodules {
		g.Tree.Notes.Add("the repository has submodules, which were not fetched")
	}
	pointers, first := 0, ""
	for _, e := range g.Tree.Entries {
		// A Git LFS pointer has three short lines.
		if !e.IsFile() || e.Info.Size() < int64(len(mark)) || e.Info.Size() > 1024 {
			continue
		}
		if strings.HasPrefix(string(p.Head(e, int64(len(mark)))), mark) {
			if pointers++; first == "" {
				first = e.Path
			}
		}
	}
	if pointers > 0 {
		g.Tree.Notes.Add("%d files are only pointers to Git LFS, %s for one; their contents were not fetched", pointers, usererr.Quote(first))
	}
}
