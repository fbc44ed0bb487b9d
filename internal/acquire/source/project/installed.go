package project

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Installed finds out how to start an installed package. file is the archive
// that the sandbox exported afterwards; the relevant part is unpacked into
// scratch, an empty directory of the caller, where the package's own files stay
// for further reading.
//
// It fills in the artifact's command, candidates and environment. Of several
// good ways all are candidates, the best first: the server is the one that
// answers.
func Installed(ctx context.Context, file string, a *mcpsf.Artifact, target mcpsf.Target, scratch string, opts *kind.Options) error {
	dst, err := os.OpenRoot(scratch)
	if err != nil {
		return fmt.Errorf("opening the scratch directory: %w", err)
	}
	defer dst.Close()
	at := placeOf(a)
	u := archive.New(target.Source, dst, opts.Complete().Limits)
	if err := unpackInstalled(ctx, u, file, at); err != nil {
		return err
	}
	p := &Project{Tree: u.Tree, Root: dst, Source: target.Source, installed: &at}
	p.ReadManifests()
	ways := p.ways(target.Command)
	ways = slices.DeleteFunc(ways, func(w way) bool { return w.tier == tierHint })
	if len(ways) == 0 {
		return p.noEntry(nil)
	}
	a.Candidates = nil
	for i, w := range ways {
		if w.tier > tierPackage && ways[0].tier <= tierPackage {
			break // guesses only count if nothing is declared
		}
		command := at.given(w.command, &p.node)
		if w.tier != tierGiven {
			command = append(at.command(w.command, p.Tree), target.Args...)
		}
		a.Candidates = append(a.Candidates, mcpsf.EntryCandidate{Command: command, Why: w.why, Chosen: i == 0})
	}
	a.Command = a.Candidates[0].Command
	return nil
}

// installation is where an installed package is.
type installation struct {
	manager mcpsf.Manager
	// root is the package's own directory inside the sandbox, and prefix the
	// same relative to the work directory, "" if it is that directory.
	root, prefix string
	name         string
}

func placeOf(a *mcpsf.Artifact) installation {
	at := installation{manager: a.Install.Manager, name: a.Name, root: mcpsf.WorkDir}
	if a.Install.Package != "" && at.manager == mcpsf.ManagerNPM {
		at.prefix = path.Join("node_modules", a.Name)
		at.root = path.Join(mcpsf.WorkDir, at.prefix)
	}
	return at
}

// environment is the virtual environment relative to the work directory.
const environment = ".venv"

// takes returns the name in the scratch directory of a relevant entry, "" for
// all others.
func (at installation) takes(name string) string {
	if dir, ok := strings.CutPrefix(name, path.Join(mcpsf.WorkDir, environment)+"/"); ok && at.manager == mcpsf.ManagerPip {
		// lib/python3.11/site-packages/x.dist-info/entry_points.txt
		parts := strings.Split(dir, "/")
		if len(parts) == 5 && path.Ext(parts[3]) == ".dist-info" && at.owns(strings.TrimSuffix(parts[3], ".dist-info")) {
			return path.Join(parts[3], parts[4])
		}
		return ""
	}
	rel, ok := strings.CutPrefix(name, at.root+"/")
	if !ok || slices.Contains(strings.Split(rel, "/"), "node_modules") {
		return ""
	}
	return rel
}

// owns reports whether a directory of metadata, name-version, is the package's.
func (at installation) owns(dir string) bool {
	name, _, _ := strings.Cut(dir, "-")
	return moduleName(name) == moduleName(at.name)
}

// command is a command in the form for the work directory.
func (at installation) command(command []string, t *staging.Tree) []string {
	out := slices.Clone(command)
	if at.manager == mcpsf.ManagerPip && (out[0] == "python3" || out[0] == "python") {
		out[0] = path.Join(mcpsf.WorkDir, environment, "bin", "python")
	}
	if at.prefix == "" {
		return out
	}
	for i, word := range out {
		if t.File(word) != nil {
			out[i] = path.Join(at.prefix, word)
		}
		// A bundle's manifest names its own directory.
		if own, ok := strings.CutPrefix(word, mcpsf.WorkDir+"/"); ok && t.File(own) != nil {
			out[i] = path.Join(at.root, own)
		}
	}
	return out
}

// unpackInstalled unpacks the relevant part of an archive that the sandbox
// exported.
func unpackInstalled(ctx context.Context, u *archive.Unpacker, file string, at installation) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening what was installed: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("looking at what was installed: %w", err)
	}
	u.Consumed = info.Size() // it is not compressed, so it is no bomb
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading what was installed: %w", err)
		}
		if h.Name = at.takes(h.Name); h.Name == "" {
			continue
		}
		if err := u.Count(); err != nil {
			return err
		}
		if err := u.Settle(h.Name, u.TarEntry(ctx, h, r)); err != nil {
			return err
		}
	}
	u.KeepTop = true
	return u.Finish(ctx)
}

// installedScripts finds the programs that pip made, and the modules that can
// be run.
func (p *Project) installedScripts() []way {
	var ways []way
	for _, s := range p.python.scripts {
		if usererr.BadName(s.name) != "" || strings.Contains(s.name, "/") {
			continue
		}
		w := way{
			command: []string{path.Join(mcpsf.WorkDir, environment, "bin", s.name)},
			why:     "script " + usererr.Quote(s.name) + " of " + s.file, tier: tierDeclared, rank: 1, runtime: mcpsf.RuntimePython,
		}
		if moduleName(s.name) == moduleName(p.installed.name) {
			w.rank = 0
		}
		ways = append(ways, w)
	}
	for _, module := range p.recordedModules() {
		ways = append(ways, way{
			command: []string{"python3", "-m", module}, why: module + " has a __main__.py",
			tier: tierPackage, runtime: mcpsf.RuntimePython,
		})
	}
	return ways
}

// recordedModules lists the packages with a __main__.py in pip's record.
func (p *Project) recordedModules() []string {
	var modules []string
	for _, e := range p.Tree.Entries {
		if dir, file := path.Split(e.Path); file != "RECORD" || path.Ext(strings.TrimSuffix(dir, "/")) != ".dist-info" {
			continue
		}
		for line := range strings.Lines(string(p.Head(e, maxManifest))) {
			name, _, _ := strings.Cut(line, ",")
			module, ok := strings.CutSuffix(name, "/__main__.py")
			if ok && isIdentifier(module) && len(modules) < maxScripts {
				modules = append(modules, module)
			}
		}
	}
	return modules
}
