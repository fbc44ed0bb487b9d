package assess

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/source/image"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// equipment is what of the host, or of a registry, the sandbox shows so that
// a server in some language can be installed and run.
type equipment struct {
	interpreter interpreter.Interpreter
	tool        interpreter.Tool
	mounts      []box.Mount
	// image is the root file system they are in, if it is not the host's,
	// and env what the image wants to be set.
	image    string
	env      []string
	releases []func()
}

// equip finds a runtime that the artifact can live with. One that has none of
// its own in the host's or comes with everything needs none.
func equip(ctx context.Context, opts *Options, a *mcpsf.Artifact) (*equipment, error) {
	e := &equipment{}
	if a.RootFS != "" || opts.Image == "" && (a.Runtime == mcpsf.RuntimeNative || a.Runtime == "") {
		return e, nil
	}
	if err := e.find(ctx, opts, a); err != nil {
		e.release()
		return nil, err
	}
	return e, nil
}

// find looks on the host first, then in the registry of Node.js, then for an
// image; an image that the user names comes before all of them.
func (e *equipment) find(ctx context.Context, opts *Options, a *mcpsf.Artifact) error {
	if opts.Image != "" {
		return e.pull(ctx, opts, a, opts.Image)
	}
	needs := ""
	if a.Install != nil {
		needs = a.Install.Needs
	}
	var missing error
	if e.interpreter, missing = interpreter.Choose(a.Runtime, needs, opts.HostPath); missing != nil {
		missing = e.fetchNode(ctx, opts, a.Runtime, needs, missing)
	}
	if image := opts.Images[a.Runtime]; missing != nil && image != "" {
		if err := e.pull(ctx, opts, a, image); err != nil {
			return fmt.Errorf("%w; and from an image: %w", missing, err)
		}
		return nil
	}
	if missing != nil {
		return missing
	}
	if err := e.mount(e.interpreter.Source, e.interpreter.Mount); err != nil || a.Install == nil {
		return err
	}
	if err := e.findTool(ctx, opts, a.Install.Manager); err != nil {
		return err
	}
	return e.mount(e.tool.Source, e.tool.Mount)
}

// pull takes everything from an image: the runtime, the package manager and
// what is around them.
func (e *equipment) pull(ctx context.Context, opts *Options, a *mcpsf.Artifact, ref string) error {
	opts.Progress.Step("image", ref)
	root, env, release, err := image.PullRuntime(ctx, ref, opts.source())
	if err != nil {
		return err
	}
	e.releases = append(e.releases, release)
	e.image, e.env = root, env
	a.RootFS, a.WorkDir = root, mcpsf.WorkDir
	e.interpreter = interpreter.Interpreter{Runtime: a.Runtime, From: "image " + ref}
	switch a.Runtime {
	case mcpsf.RuntimeNode:
		e.interpreter.Program, e.tool.Args = "node", []string{"npm"}
	case mcpsf.RuntimePython:
		e.interpreter.Program, e.tool.Args = "python3", []string{"-m", "pip"}
	}
	opts.Progress.Done(filepath.Base(root)[:min(12, len(filepath.Base(root)))])
	return nil
}

// fetchNode gets Node.js from the registry where the host has none that will
// do; cause is what to say if that is not possible.
func (e *equipment) fetchNode(ctx context.Context, opts *Options, rt mcpsf.Runtime, needs string, cause error) error {
	if rt != mcpsf.RuntimeNode || opts.Registry == nil {
		return cause
	}
	opts.Progress.Step("runtime", "Node.js "+needs)
	i, release, err := interpreter.FromNPM(ctx, opts.Registry, opts.trees(), needs, runtime.GOARCH, func(done, _ int64) {
		opts.Progress.Update(fmt.Sprintf("%d MB", done>>20))
	})
	if err != nil {
		return fmt.Errorf("%w; and from the registry: %w", cause, err)
	}
	e.interpreter, e.releases = i, append(e.releases, release)
	opts.Progress.Done("Node.js " + i.Version + " from the registry")
	return nil
}

func (e *equipment) findTool(ctx context.Context, opts *Options, m mcpsf.Manager) error {
	var ok bool
	var release func()
	var err error
	switch m {
	case mcpsf.ManagerNPM:
		if e.tool, ok = interpreter.NPM(e.interpreter); !ok {
			e.tool, release, err = interpreter.NPMFromRegistry(ctx, opts.Registry, opts.trees(), e.interpreter)
		}
	case mcpsf.ManagerPip:
		if e.tool, ok = interpreter.Pip(e.interpreter); !ok {
			e.tool, release, err = interpreter.PipFromIndex(ctx, opts.Registry, opts.trees(), e.interpreter)
		}
	}
	if release != nil {
		e.releases = append(e.releases, release)
	}
	return err
}

func (e *equipment) mount(source, target string) error {
	if source == "" {
		return nil
	}
	e.mounts = append(e.mounts, box.Mount{Source: source, Target: target})
	return passable(source, os.Getuid())
}

// passable refuses a place that the sandbox cannot get to: as root it runs as
// another user.
func passable(place string, uid int) error {
	if uid != 0 {
		return nil
	}
	for dir := filepath.Dir(place); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o001 == 0 {
			return &mcpsf.Error{
				Code:    mcpsf.CodeUsage,
				Message: fmt.Sprintf("%q is needed in the sandbox, which root runs as another user, and only its owner can enter %q; set MCPSF_CACHE to a directory that everybody can reach", place, dir),
			}
		}
	}
	return nil
}

func (e *equipment) release() {
	for _, f := range e.releases {
		f()
	}
}

// describe names the runtime for the report.
func (e *equipment) describe() string {
	i := e.interpreter
	if i.Program == "" {
		return ""
	}
	return strings.TrimSpace(string(i.Runtime)+" "+i.Version) + ", " + i.From
}

// tools is the same for whoever plans the installation.
func (e *equipment) tools(opts *Options) *install.Tools {
	t := &install.Tools{
		Interpreter: e.interpreter.Program, Version: e.interpreter.Version,
		Manager: e.tool.Args, ManagerVersion: e.tool.Version, Arch: runtime.GOARCH,
	}
	if opts.Registry != nil {
		t.Registries = append(t.Registries, opts.Registry.NPM("").URL.String())
		for _, scope := range opts.Registry.Scopes() {
			t.Registries = append(t.Registries, scope+" "+opts.Registry.NPM(scope).URL.String())
		}
		for _, r := range opts.Registry.PyPI() {
			t.Registries = append(t.Registries, r.URL.String())
		}
	}
	if e.image != "" {
		t.Image = filepath.Base(filepath.Dir(e.image)) // named by its digest
		return t
	}
	// Only the host's own headers match the host's own Node.js.
	prefix := filepath.Dir(filepath.Dir(e.interpreter.Host))
	if _, err := os.Stat(filepath.Join(prefix, "include/node/node.h")); err == nil {
		t.Headers = path.Dir(path.Dir(e.interpreter.Program))
	}
	return t
}
