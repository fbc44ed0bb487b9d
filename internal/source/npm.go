package source

import (
	"context"
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf"
)

// npm is a package of the user's npm registry.
type npm struct{}

var _ Resolver = npm{}

// Kind implements [Resolver].
func (npm) Kind() string { return "npm" }

// Match implements [Resolver].
func (npm) Match(target mcpsf.Target) bool { return isNPM(target.Source) }

// Resolve implements [Resolver]. The package file stays beside the stage.
func (k npm) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	spec, err := parseNPM(target.Source)
	if err != nil {
		return nil, nil, err
	}
	if opts.Registry == nil {
		return nil, nil, usage("%s cannot be fetched: packages cannot be downloaded here; download it and name the file", quote(target.Source))
	}
	dir, err := packageDir(stageDir)
	if err != nil {
		return nil, nil, err
	}
	r := &npmRun{spec: spec, from: opts.Registry.NPM(spec.scope()), opts: opts, dir: dir}
	a, facts, err := k.resolve(ctx, r, target, stageDir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, nil, err
	}
	return a, facts, nil
}

func (k npm) resolve(ctx context.Context, r *npmRun, target mcpsf.Target, stageDir string) (*mcpsf.Artifact, []mcpsf.Fact, error) {
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
	u := &npmTar{newUnpacker(target.Source, dst, r.opts)}
	if err := u.unpack(ctx, file); err != nil {
		return nil, nil, err
	}
	t := u.tree
	p := &project{tree: t, root: dst, source: target.Source, dir: file}
	manifest := p.object("package.json")
	if manifest == nil {
		return nil, nil, usage("npm package %s has no package.json that npm could read%s; do not use it",
			quote(r.spec.name+"@"+pick.Version), u.firstRefusal())
	}
	r.keep(pick, file, !offline)

	a := &mcpsf.Artifact{
		Kind: k.Kind(), Digest: t.digest(), Files: t.files(), Bytes: t.bytes, Dir: stageDir,
		Origin:  &mcpsf.Origin{URL: pick.URL, Pin: pick.Pin, Published: pick.Published, Offline: offline},
		Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM, Package: file},
	}
	if err := p.describe(a, target); err != nil {
		return nil, nil, err
	}
	a.Install.Needs = p.node.engine
	// What it says of itself does not count: npm goes by the registry.
	a.Name, a.Version = r.spec.name, pick.Version
	a.Notes = append(r.notes(pick), t.notes.all()...)
	facts := append(u.allFacts(), p.npmScripts(manifest)...)
	return a, append(facts, pick.confusion(r.spec.name, manifest)...), nil
}

func (r *npmRun) notes(p *npmPick) []string {
	var notes []string
	if p.stale {
		notes = append(notes, fmt.Sprintf("the registry could not be asked; %s is what %s was when it last answered", p.Version, quote(r.spec.want)))
	}
	if p.Deprecated != "" {
		notes = append(notes, "its authors deprecate this version: "+quote(p.Deprecated))
	}
	return notes
}
