package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// pypi is a package of the user's Python index.
type pypi struct{}

var _ Resolver = pypi{}

// Kind implements [Resolver].
func (pypi) Kind() string { return "pypi" }

// Match implements [Resolver].
func (pypi) Match(target mcpsf.Target) bool { return strings.HasPrefix(target.Source, pypiPrefix) }

// Resolve implements [Resolver]. The package file stays beside the stage,
// under the name it was published by: pip reads name and version from it.
func (k pypi) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	req, err := parseRequirement(target.Source)
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
	r := &pypiRun{req: req, platform: newPyPlatform(opts.Python, runtime.GOARCH), opts: opts, dir: dir}
	a, facts, err := k.resolve(ctx, r, target, stageDir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, nil, err
	}
	return a, facts, nil
}

// packageDir makes the place for the package file. The sandbox may be another
// user.
func packageDir(stageDir string) (string, error) {
	dir, err := os.MkdirTemp(filepath.Dir(stageDir), "package-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		return "", fmt.Errorf("making room for a package: %w", err)
	}
	return dir, nil
}

func (k pypi) resolve(ctx context.Context, r *pypiRun, target mcpsf.Target, stageDir string) (*mcpsf.Artifact, []mcpsf.Fact, error) {
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
	u := newUnpacker(target.Source, dst, r.opts)
	u.keepTop = wheel
	unpacked, err := u.archive(ctx, place{source: target.Source, dir: r.dir, file: pick.File})
	if err != nil {
		return nil, nil, err
	}
	if unpacked != "sha256:"+sum {
		return nil, nil, changed(file)
	}
	t := u.tree
	if t.files() == 0 {
		return nil, nil, usage("%s has no files in it that can be unpacked%s; do not use it", quote(pick.File), u.firstRefusal())
	}
	r.remember(pick, sum)

	a := &mcpsf.Artifact{
		Kind: k.Kind(), Digest: t.digest(), Files: t.files(), Bytes: t.bytes, Dir: stageDir,
		Origin:  &mcpsf.Origin{URL: pick.URL, Pin: unpacked, Published: pick.Published, Offline: offline},
		Install: &mcpsf.Install{Manager: mcpsf.ManagerPip, Package: file, Extras: r.req.extras, Needs: pick.Requires},
	}
	p := &project{tree: t, root: dst, source: target.Source, dir: file}
	if err := p.describe(a, target); err != nil {
		return nil, nil, err
	}
	// What it says of itself does not count: pip goes by the index, too.
	if said := a.Name; said != "" && normalizePyName(said) != r.req.name {
		t.notes.add("it calls itself %s, not %s as in the index", quote(said), quote(r.req.name))
	}
	a.Name, a.Version = r.req.name, pick.Version
	a.Notes = append(pick.allNotes(), t.notes.all()...)
	return a, append(u.allFacts(), p.scriptFacts(wheel)...), nil
}

func (p *pypiPick) allNotes() []string {
	if !p.stale {
		return p.Notes
	}
	return append([]string{"the index could not be asked; this is the newest version that was found before"}, p.Notes...)
}
