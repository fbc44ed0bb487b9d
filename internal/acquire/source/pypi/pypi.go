// Package pypi is the source for packages of the user's Python index.
//
// In: "pypi:name==version". Out: the artifact of the file that pip would choose
// for the sandbox's interpreter, verified against the digest that the index
// states. Facts state which of its code runs without being called.
package pypi

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Resolver is a package of the user's Python index.
type Resolver struct{}

var _ kind.Resolver = Resolver{}

// Kind implements [kind.Resolver].
func (Resolver) Kind() string { return "pypi" }

// Match implements [kind.Resolver].
func (Resolver) Match(target mcpsf.Target) bool { return strings.HasPrefix(target.Source, Prefix) }

// Resolve implements [kind.Resolver]. The package file stays beside the stage
// under its published name, because pip reads name and version from it.
func (k Resolver) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	req, err := ParseRequirement(target.Source)
	if err != nil {
		return nil, nil, err
	}
	if opts.Registry == nil {
		return nil, nil, usererr.Usage("%s cannot be fetched: packages cannot be downloaded here; download it and name the file", usererr.Quote(target.Source))
	}
	dir, err := published.Dir(stageDir)
	if err != nil {
		return nil, nil, err
	}
	r := &run{req: req, platform: newPlatform(opts.Python, runtime.GOARCH), opts: opts, dir: dir}
	a, facts, err := k.resolve(ctx, r, target, stageDir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, nil, err
	}
	return a, facts, nil
}

func (k Resolver) resolve(ctx context.Context, r *run, target mcpsf.Target, stageDir string) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	pick, err := r.pick(ctx)
	if err != nil {
		return nil, nil, err
	}
	file, sum, offline, err := r.fetch(ctx, pick)
	if err != nil {
		return nil, nil, err
	}
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()
	wheel := strings.HasSuffix(pick.File, ".whl")
	u := archive.New(target.Source, dst, r.opts.Limits)
	u.KeepTop = wheel
	unpacked, err := u.Archive(ctx, staging.Place{Source: target.Source, Dir: r.dir, File: pick.File})
	if err != nil {
		return nil, nil, err
	}
	if unpacked != "sha256:"+sum {
		return nil, nil, staging.Changed(file)
	}
	t := u.Tree
	if t.Files() == 0 {
		return nil, nil, usererr.Usage("%s has no files in it that can be unpacked%s; do not use it", usererr.Quote(pick.File), u.FirstRefusal())
	}
	r.remember(pick, sum)

	a := &mcpsf.Artifact{
		Kind: k.Kind(), Digest: t.Digest(), Files: t.Files(), Bytes: t.Bytes, Dir: stageDir,
		Origin:  &mcpsf.Origin{URL: pick.URL, Pin: unpacked, Published: pick.Published, Offline: offline},
		Install: &mcpsf.Install{Manager: mcpsf.ManagerPip, Package: file, Extras: r.req.extras, Needs: pick.Requires},
	}
	p := &project.Project{Tree: t, Root: dst, Source: target.Source, Dir: file}
	if err := p.Describe(a, target); err != nil {
		return nil, nil, err
	}
	// The metadata's own name does not count: pip uses the index's, too.
	if own := a.Name; own != "" && NormalizeName(own) != r.req.Name {
		t.Notes.Add("it calls itself %s, not %s as in the index", usererr.Quote(own), usererr.Quote(r.req.Name))
	}
	a.Name, a.Version = r.req.Name, pick.Version
	a.Origin.Repository = repository(p, pick.History.By)
	a.Notes = append(pick.allNotes(), t.Notes.All()...)
	facts := append(u.Facts(), scriptFacts(p, wheel)...)
	return a, append(facts, pick.History.facts()...), nil
}

func (p *pick) allNotes() []string {
	if !p.stale {
		return p.Notes
	}
	return append([]string{"the index could not be asked; this is the newest version that was found before"}, p.Notes...)
}
