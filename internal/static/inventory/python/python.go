// Package python reads the files that list Python packages.
//
// It takes requirements, pyproject.toml, the lock files of poetry, uv, pdm,
// pipenv and PEP 751, and the metadata of installed packages, and returns parts
// and their dependencies, resolved by name. It ignores the environment markers
// of a requirement, but not its extras.
package python

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Reader collects the contents of one disk's files.
type Reader struct {
	parts *part.Collector
	disk  *disk.Disk

	projects *projects
	locks    *lockFiles
	lists    *requirementLists
	sites    *sites
}

// New returns a reader of Python packages. self is the name of the server's own
// package, "" if unknown.
func New(parts *part.Collector, d *disk.Disk, self string) *Reader {
	ps := &projects{parts: parts, byDir: make(map[string]*project), scripted: make(map[string]bool)}
	locks := &lockFiles{parts: parts, disk: d, projects: ps, byDir: make(map[string][]lock)}
	return &Reader{
		parts: parts, disk: d, projects: ps, locks: locks,
		lists: &requirementLists{parts: parts, disk: d, projects: ps, locks: locks, pins: make(map[string]string), included: make(map[string]bool)},
		sites: &sites{disk: d, self: normal(self), byDir: make(map[string]site), tops: make(map[string]*dist)},
	}
}

// Wants reports whether a file lists Python packages.
func (r *Reader) Wants(file string) bool {
	dir, base := path.Split(file)
	dir = path.Base(dir)
	switch {
	case base == "METADATA":
		return strings.HasSuffix(dir, ".dist-info")
	case base == "PKG-INFO":
		return !strings.HasSuffix(dir, ".dist-info")
	case strings.HasSuffix(base, ".egg-info"):
		return true
	case inSite(file) || strings.Contains(file, "node_modules/"):
		return false // development files of an installed package
	}
	switch base {
	case "pyproject.toml", "setup.cfg", "setup.py", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile", "Pipfile.lock", "pylock.toml":
		return true
	}
	return strings.HasPrefix(base, "pylock.") && strings.HasSuffix(base, ".toml") || requirementsName(dir, base)
}

// inSite reports whether a path is in a directory of installed packages.
func inSite(file string) bool {
	return strings.Contains(file, "site-packages/") || strings.Contains(file, "dist-packages/")
}

// Read reads a file.
func (r *Reader) Read(file string) {
	base := path.Base(file)
	if base != "METADATA" && !strings.Contains(file, ".egg-info") && r.sites.carrier(file) != nil {
		return // development files of an installed package
	}
	if base == "setup.py" {
		r.projects.script(file)
		return
	}
	if requirementsName(path.Base(path.Dir(file)), base) {
		r.lists.read(file, spare(base), 0)
		return
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	switch {
	case base == "METADATA" || base == "PKG-INFO" || strings.HasSuffix(base, ".egg-info"):
		r.metadata(file, data)
	case base == "pyproject.toml":
		r.projects.pyproject(file, data)
	case base == "setup.cfg":
		r.projects.setupConfig(file, data)
	case base == "Pipfile":
		r.projects.pipfile(file, data)
	default:
		r.locks.read(file, base, data)
	}
}

// Finish resolves all requirements.
func (r *Reader) Finish() {
	r.projects.noteScripts()
	lk := &linker{parts: r.parts, disk: r.disk, projects: r.projects, locks: r.locks, pins: r.lists.pins, sites: r.sites}
	lk.link()
}

// Carrier returns the installed package that contains a file, nil if none does.
func (r *Reader) Carrier(file string) *part.Part { return r.sites.carrier(file) }

// Described returns the installed package that a metadata directory describes,
// nil if none does.
func (r *Reader) Described(info string) *part.Part { return r.sites.described(info) }
