// Package python reads what tells of Python packages.
//
// In come requirements, pyproject.toml, the lock files of poetry, uv, pdm,
// pipenv and PEP 751, and the metadata of what is installed; out come parts
// and what they need, found by name. What a requirement says of the machine
// is not asked, what it says of extras is.
package python

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Reader gathers what the files of one disk say.
type Reader struct {
	parts *part.Collector
	disk  *disk.Disk
	self  string // the server's own name, if it is known

	projects map[string]*project // by directory
	order    []string            // of the projects, as they were found
	locks    map[string][]lock   // by directory
	pins     map[string]string   // constraints, by directory and name
	included map[string]bool     // requirements that were read
	sites    map[string]site     // by directory
	tops     map[string]*dist    // directories of installed packages
	byName   map[string][]*dist  // made of the sites when all are known
	scripts  []string            // setup.py, which is not run
	scripted map[string]bool     // their directories
}

// lock is what a lock file has, by normalised name. Where machines differ a
// name can have several versions.
type lock map[string][]*part.Part

// New returns a reader of Python packages. self is the name of the server's own
// package, "" if that is not known.
func New(parts *part.Collector, d *disk.Disk, self string) *Reader {
	return &Reader{
		parts: parts, disk: d, self: normal(self), projects: make(map[string]*project), locks: make(map[string][]lock),
		pins: make(map[string]string), included: make(map[string]bool), sites: make(map[string]site), tops: make(map[string]*dist), scripted: make(map[string]bool),
	}
}

// Wants reports whether a file tells of Python packages.
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
		return false // what packages carry about their own development
	}
	switch base {
	case "pyproject.toml", "setup.cfg", "setup.py", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile", "Pipfile.lock", "pylock.toml":
		return true
	}
	return strings.HasPrefix(base, "pylock.") && strings.HasSuffix(base, ".toml") || requirementsName(dir, base)
}

// inSite reports whether a path is where packages are installed.
func inSite(file string) bool {
	return strings.Contains(file, "site-packages/") || strings.Contains(file, "dist-packages/")
}

// Read takes a file in.
func (r *Reader) Read(file string) {
	base := path.Base(file)
	if base != "METADATA" && !strings.Contains(file, ".egg-info") && r.Carrier(file) != nil {
		return // what packages carry about their own development
	}
	if base == "setup.py" {
		r.scripts = append(r.scripts, file)
		r.scripted[disk.Dir(file)] = true
		return
	}
	if requirementsName(path.Base(path.Dir(file)), base) {
		r.requirements(file, spare(base), 0)
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
		r.pyproject(file, data)
	case base == "setup.cfg":
		r.setupConfig(file, data)
	case base == "Pipfile":
		r.pipfile(file, data)
	default:
		r.lockFile(file, base, data)
	}
}

func (r *Reader) lockFile(file, base string, data []byte) {
	var l lock
	switch base {
	case "poetry.lock":
		l = r.poetryLock(file, data)
	case "uv.lock":
		l = r.uvLock(file, data)
	case "pdm.lock":
		l = r.pdmLock(file, data)
	case "Pipfile.lock":
		l = r.pipfileLock(file, data)
	default:
		l = r.pylock(file, data)
	}
	dir := disk.Dir(file)
	r.locks[dir] = append(r.locks[dir], l)
}

// add enters a package of a lock file.
func (r *Reader) add(l lock, p part.Part) *part.Part {
	p.Ecosystem, p.Name = mcpsf.EcosystemPyPI, normal(p.Name)
	out := r.parts.Add(p)
	if out != nil && len(l[out.Name]) < part.MaxVersions {
		l[out.Name] = append(l[out.Name], out)
	}
	return out
}
