// Package npm reads the files that list npm packages.
//
// It takes package.json, the lock files of npm, yarn, pnpm and bun, and
// installed node_modules, including pnpm's store, and returns parts and their
// dependencies. In node_modules it resolves them as node does.
package npm

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Reader collects the contents of one disk's files.
type Reader struct {
	parts *part.Collector
	disk  *disk.Disk
	// Outer returns the package of another kind that contains a file, nil if
	// none does: Python packages contain JavaScript.
	Outer func(file string) *part.Part

	projects map[string]*project // by directory
	order    []string            // directories of the projects, in the order found
	names    map[string]bool     // names of workspace members, below the workspace's directory
	tree     *tree               // installed packages
	homes    []string            // directories of other trees with node_modules, once known
	locks    map[string][]lock   // by directory
}

// lock is one lock file.
type lock interface {
	// find returns the lock file's packages for a dependency of a project, and
	// whether that is a project itself. dir is the project's directory relative
	// to the lock file.
	find(dir string, a ask) (found []*part.Part, own bool)
}

// New returns a reader of npm packages.
func New(parts *part.Collector, d *disk.Disk) *Reader {
	return &Reader{
		parts: parts, disk: d, Outer: func(string) *part.Part { return nil }, projects: make(map[string]*project), names: make(map[string]bool), locks: make(map[string][]lock),
		tree: newTree(func(p string) string { followed, _ := d.Real(p); return followed }),
	}
}

// Wants reports whether a file lists npm packages.
func (r *Reader) Wants(file string) bool {
	dir, base := path.Split(file)
	switch base {
	case "package.json":
		at := strings.LastIndex("/"+dir, "/"+modules+"/")
		return at < 0 || packageName(strings.TrimSuffix(dir[at+len(modules)+1:], "/")) != "" || copied(dir)
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "shrinkwrap.yaml", "bun.lock", "bun.lockb":
		return !strings.Contains("/"+dir, "/"+modules+"/")
	case ".package-lock.json":
		return path.Base(dir) == modules
	case "lock.yaml":
		return strings.HasSuffix("/"+dir, "/"+modules+"/.pnpm/")
	}
	return false
}

// Read reads a file.
func (r *Reader) Read(file string) {
	base := path.Base(file)
	if base == "bun.lockb" {
		r.parts.Note(file, "bun's binary lock file is not read; bun.lock would be")
		return
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	dir := disk.Dir(file)
	switch base {
	case "package.json":
		r.manifest(file, data)
	case ".package-lock.json":
		r.add(disk.Dir(dir), r.packageLock(file, disk.Dir(dir), data))
	case "lock.yaml":
		r.add(disk.Dir(disk.Dir(dir)), r.pnpmLock(file, disk.Dir(disk.Dir(dir)), data))
	case "yarn.lock":
		r.add(dir, r.yarnLock(file, data))
	case "pnpm-lock.yaml", "shrinkwrap.yaml":
		r.add(dir, r.pnpmLock(file, dir, data))
	case "bun.lock":
		r.add(dir, r.bunLock(file, dir, data))
	default:
		r.add(dir, r.packageLock(file, dir, data))
	}
}

func (r *Reader) add(dir string, l lock) { r.locks[dir] = append(r.locks[dir], l) }

// manifest reads a package.json: of an installed package, or of a project.
func (r *Reader) manifest(file string, data []byte) {
	doc, err := document.JSON(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	m := readManifest(doc)
	dir := disk.Dir(file)
	folder, inside := installedName(dir)
	if !inside && copied(dir) {
		r.copy(file, dir, m)
		return
	}
	if !inside {
		if m.name != "" || len(m.asks) > 0 {
			r.project(dir, file, m)
		}
		return
	}
	if m.name == "" {
		m.name = folder
	}
	p := r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: m.name, Version: m.version},
		Licences: m.licences, File: file, Installed: true, Dirs: []string{dir},
	})
	if p != nil {
		r.tree.places[dir] = &place{part: p, asks: m.asks}
	}
}
