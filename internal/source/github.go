package source

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// github is a repository on GitHub, pinned to a commit.
type github struct{}

var _ Resolver = github{}

// Kind implements [Resolver].
func (github) Kind() string { return "github" }

// Match implements [Resolver].
func (github) Match(target mcpsf.Target) bool { return isGitHub(target.Source) }

// Resolve implements [Resolver]. The ref becomes a commit, and that commit's
// archive is unpacked: all of it, or one directory.
func (k github) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	repo, err := parseGitHub(target.Source)
	if err != nil {
		return nil, nil, err
	}
	if opts.Registry == nil {
		return nil, nil, usage("%s cannot be fetched: there is no way to GitHub here; download it and name the directory", quote(target.Source))
	}
	dir, err := os.MkdirTemp(filepath.Dir(stageDir), "github-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a directory for the download: %w", err)
	}
	defer os.RemoveAll(dir)
	f := &githubFetch{api: opts.Registry.GitHub(), opts: opts, dir: dir}
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
func (k github) unpack(ctx context.Context, target mcpsf.Target, f *githubFetch, pin githubPin, file, stageDir string) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()
	u := newUnpacker(target.Source, dst, f.opts)
	g := &githubTar{unpacker: u, pin: pin}
	if err := g.unpack(ctx, file); err != nil {
		return nil, nil, err
	}
	t := u.tree
	if t.files() == 0 {
		return nil, nil, g.nothing()
	}
	f.keep(pin, file)
	a := &mcpsf.Artifact{
		Kind: k.Kind(), Name: path.Base(path.Join(pin.repo.name, pin.repo.sub)),
		Digest: t.digest(), Files: t.files(), Bytes: t.bytes, Dir: stageDir,
		Origin: &mcpsf.Origin{URL: f.archiveURL(pin), Pin: pin.commit, Published: g.committed, Offline: pin.offline},
	}
	p := &project{tree: t, root: dst, source: target.Source, dir: stageDir}
	if err := p.describe(a, target); err != nil {
		return nil, nil, err
	}
	g.noteMissing(p)
	a.Notes = append(t.notes.all(), a.Notes...)
	return a, u.allFacts(), nil
}

// noteMissing tells of what a repository refers to and its archive lacks.
func (g *githubTar) noteMissing(p *project) {
	const mark = "version https://git-lfs.github.com/spec/"
	if !g.named {
		g.tree.notes.add("the archive does not say that it is commit %s, as those of GitHub do", short(g.pin.commit))
	}
	if g.submodules {
		g.tree.notes.add("the repository has submodules, which were not fetched")
	}
	pointers, first := 0, ""
	for _, e := range g.tree.entries {
		// A pointer is three short lines.
		if !e.isFile() || e.info.Size() < int64(len(mark)) || e.info.Size() > 1024 {
			continue
		}
		if strings.HasPrefix(string(p.head(e, int64(len(mark)))), mark) {
			if pointers++; first == "" {
				first = e.path
			}
		}
	}
	if pointers > 0 {
		g.tree.notes.add("%d files are only pointers to Git LFS, %s for one; their contents were not fetched", pointers, quote(first))
	}
}
