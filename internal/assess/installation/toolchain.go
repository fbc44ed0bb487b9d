package installation

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

// Toolchain is the interpreter and package manager, from the host or a registry,
// that the sandbox needs to install and run a server in some language.
type Toolchain struct {
	Interpreter interpreter.Interpreter
	tool        interpreter.Tool
	Mounts      []box.Mount
	// image is the root file system that contains them, if it is not the host's.
	// Env are the variables of the image.
	image    string
	Env      []string
	releases []func()
}

// Toolchain finds a runtime that fits the artifact. A native program or an image
// needs none.
func (f *Fetcher) Toolchain(ctx context.Context, a *mcpsf.Artifact) (*Toolchain, error) {
	t := &Toolchain{}
	if a.RootFS != "" || f.Image == "" && (a.Runtime == mcpsf.RuntimeNative || a.Runtime == "") {
		return t, nil
	}
	if err := t.find(ctx, f, a); err != nil {
		t.Release()
		return nil, err
	}
	return t, nil
}

// find looks on the host first, then in the registry of Node.js, then for an
// image. An image that the user names comes first.
func (t *Toolchain) find(ctx context.Context, f *Fetcher, a *mcpsf.Artifact) error {
	if f.Image != "" {
		return t.pull(ctx, f, a, f.Image)
	}
	needs := ""
	if a.Install != nil {
		needs = a.Install.Needs
	}
	var missing error
	if t.Interpreter, missing = interpreter.Choose(a.Runtime, needs, f.HostPath); missing != nil {
		missing = t.fetchNode(ctx, f, a.Runtime, needs, missing)
	}
	if image := f.Images[a.Runtime]; missing != nil && image != "" {
		if err := t.pull(ctx, f, a, image); err != nil {
			return fmt.Errorf("%w; and from an image: %w", missing, err)
		}
		return nil
	}
	if missing != nil {
		return missing
	}
	if err := t.mount(t.Interpreter.Source, t.Interpreter.Mount); err != nil || a.Install == nil {
		return err
	}
	if err := t.findTool(ctx, f, a.Install.Manager); err != nil {
		return err
	}
	return t.mount(t.tool.Source, t.tool.Mount)
}

// pull takes everything from an image: the runtime, the package manager and the
// system around them.
func (t *Toolchain) pull(ctx context.Context, f *Fetcher, a *mcpsf.Artifact, ref string) error {
	f.Progress.Step("image", ref)
	root, env, release, err := image.PullRuntime(ctx, ref, f.SourceOptions())
	if err != nil {
		return err
	}
	t.releases = append(t.releases, release)
	t.image, t.Env = root, env
	a.RootFS, a.WorkDir = root, mcpsf.WorkDir
	t.Interpreter = interpreter.Interpreter{Runtime: a.Runtime, From: "image " + ref}
	switch a.Runtime {
	case mcpsf.RuntimeNode:
		t.Interpreter.Program, t.tool.Args = "node", []string{"npm"}
	case mcpsf.RuntimePython:
		t.Interpreter.Program, t.tool.Args = "python3", []string{"-m", "pip"}
	}
	f.Progress.Done(filepath.Base(root)[:min(12, len(filepath.Base(root)))])
	return nil
}

// fetchNode gets Node.js from the registry if the host has no suitable version;
// cause is the error if that is not possible.
func (t *Toolchain) fetchNode(ctx context.Context, f *Fetcher, rt mcpsf.Runtime, needs string, cause error) error {
	if rt != mcpsf.RuntimeNode || f.Registry == nil {
		return cause
	}
	f.Progress.Step("runtime", "Node.js "+needs)
	i, release, err := interpreter.FromNPM(ctx, f.Registry, f.trees(), needs, runtime.GOARCH, func(done, _ int64) {
		f.Progress.Update(fmt.Sprintf("%d MB", done>>20))
	})
	if err != nil {
		return fmt.Errorf("%w; and from the registry: %w", cause, err)
	}
	t.Interpreter, t.releases = i, append(t.releases, release)
	f.Progress.Done("Node.js " + i.Version + " from the registry")
	return nil
}

// Chromium gets a browser from the registry and returns its folder, which stays until
// it is released.
func (f *Fetcher) Chromium(ctx context.Context) (dir string, release func(), err error) {
	f.Progress.Step("browser", "Chromium")
	dir, release, err = interpreter.Chromium(ctx, f.Registry, f.trees(), runtime.GOARCH, func(done, _ int64) {
		f.Progress.Update(fmt.Sprintf("%d MB", done>>20))
	})
	if err != nil {
		f.Progress.Done("none")
		return "", nil, err
	}
	f.Progress.Done("from the registry")
	return dir, release, nil
}

func (t *Toolchain) findTool(ctx context.Context, f *Fetcher, m mcpsf.Manager) error {
	var ok bool
	var release func()
	var err error
	switch m {
	case mcpsf.ManagerNPM:
		if t.tool, ok = interpreter.NPM(t.Interpreter); !ok {
			t.tool, release, err = interpreter.NPMFromRegistry(ctx, f.Registry, f.trees(), t.Interpreter)
		}
	case mcpsf.ManagerPip:
		if t.tool, ok = interpreter.Pip(t.Interpreter); !ok {
			t.tool, release, err = interpreter.PipFromIndex(ctx, f.Registry, f.trees(), t.Interpreter)
		}
	}
	if release != nil {
		t.releases = append(t.releases, release)
	}
	return err
}

func (t *Toolchain) mount(source, target string) error {
	if source == "" {
		return nil
	}
	t.Mounts = append(t.Mounts, box.Mount{Source: source, Target: target})
	return passable(source, os.Getuid())
}

// passable refuses a path that the sandbox cannot read: under root it runs as
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

// Release frees what was fetched.
func (t *Toolchain) Release() {
	for _, release := range t.releases {
		release()
	}
}

// describe names the runtime for the report.
func (t *Toolchain) describe() string {
	i := t.Interpreter
	if i.Program == "" {
		return ""
	}
	return strings.TrimSpace(string(i.Runtime)+" "+i.Version) + ", " + i.From
}

// tools returns the toolchain in the form that planning an installation needs.
func (t *Toolchain) tools(f *Fetcher) *install.Tools {
	tools := &install.Tools{
		Interpreter: t.Interpreter.Program, Version: t.Interpreter.Version,
		Manager: t.tool.Args, ManagerVersion: t.tool.Version, Arch: runtime.GOARCH,
	}
	if f.Registry != nil {
		tools.Registries = append(tools.Registries, f.Registry.NPM("").URL.String())
		for _, scope := range f.Registry.Scopes() {
			tools.Registries = append(tools.Registries, scope+" "+f.Registry.NPM(scope).URL.String())
		}
		for _, r := range f.Registry.PyPI() {
			tools.Registries = append(tools.Registries, r.URL.String())
		}
	}
	if t.image != "" {
		tools.Image = filepath.Base(filepath.Dir(t.image)) // the directory is named by its digest
		return tools
	}
	// Only the host's own headers match the host's own Node.js.
	prefix := filepath.Dir(filepath.Dir(t.Interpreter.Host))
	if _, err := os.Stat(filepath.Join(prefix, "include/node/node.h")); err == nil {
		tools.Headers = path.Dir(path.Dir(t.Interpreter.Program))
	}
	return tools
}
