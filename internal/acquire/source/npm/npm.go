// Package npm is the source for packages of the user's npm registry.
//
// In: "npm:name@range". Out: the artifact of one version: its file, verified
// against what the registry states, and its contents unpacked like npm does.
// Facts state which scripts run at installation, and where the package differs
// from what the registry states.
package npm

import (
	"context"
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Resolver is a package of the user's npm registry.
type Resolver struct{}

var _ kind.Resolver = Resolver{}

// Kind implements [kind.Resolver].
func (Resolver) Kind() string { return "npm" }

// Match implements [kind.Resolver].
func (Resolver) Match(target mcpsf.Target) bool { return matches(target.Source) }

// Resolve implements [kind.Resolver]. The package file stays beside the stage.
func (k Resolver) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	spec, err := parseSpec(target.Source)
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
	r := &run{spec: spec, from: opts.Registry.NPM(spec.scope()), opts: opts, dir: dir}
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
	file, offline, err := r.fetch(ctx, pick)
	if err != nil {
		return nil, nil, err
	}
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()
	u := &tarball{archive.New(target.Source, dst, r.opts.Limits)}
	if err := u.unpack(ctx, file); err != nil {
		return nil, nil, err
	}
	t := u.Tree
	p := &project.Project{Tree: t, Root: dst, Source: target.Source, Dir: file}
	manifest := p.Object("package.json")
	if manifest == nil {
		return nil, nil, usererr.Usage("npm package %s has no package.json that npm could read%s; do not use it",
			usererr.Quote(r.spec.name+"@"+pick.Version), u.FirstRefusal())
	}
	r.keep(pick, file, !offline)

	a := &mcpsf.Artifact{
		Kind: k.Kind(), Digest: t.Digest(), Files: t.Files(), Bytes: t.Bytes, Dir: stageDir,
		Origin: &mcpsf.Origin{
			URL: pick.URL, Pin: pick.Pin, Published: pick.Published, Offline: offline, Repository: repository(manifest, pick.Commit),
		},
		Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM, Package: file},
	}
	if err := p.Describe(a, target); err != nil {
		return nil, nil, err
	}
	a.Install.Needs = p.Engine()
	// The manifest's own name and version do not count: npm uses the
	// registry's.
	a.Name, a.Version = r.spec.name, pick.Version
	a.Notes = append(r.notes(pick), t.Notes.All()...)
	facts := append(u.Facts(), installScripts(t, manifest)...)
	facts = append(facts, pick.confusion(r.spec.name, manifest)...)
	return a, append(facts, pick.History.facts()...), nil
}

func (r *run) notes(p *pick) []string {
	var notes []string
	if p.stale {
		notes = append(notes, fmt.Sprintf("the registry could not be asked; %s is what %s was when it last answered", p.Version, usererr.Quote(r.spec.want)))
	}
	if p.Deprecated != "" {
		notes = append(notes, "its authors deprecate this version: "+usererr.Quote(p.Deprecated))
	}
	return notes
}
