package npm

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Carrier returns the installed package that contains a file, nil if none does.
func (r *Reader) Carrier(file string) *part.Part {
	for dir := disk.Dir(file); dir != ""; dir = disk.Dir(dir) {
		if p := r.tree.places[dir]; p != nil {
			return p.part
		}
	}
	return nil
}

// copied reports whether a directory holds an installed package's private
// copies of others.
func copied(dir string) bool {
	at := strings.LastIndex("/"+dir, "/"+modules+"/")
	if at < 0 {
		return false
	}
	for name := range strings.SplitSeq(path.Dir(strings.TrimSuffix(dir[at:], "/")), "/") {
		switch strings.ToLower(name) {
		case "vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty", "bundled":
			return true
		}
	}
	return false
}

// copy reads the package.json of a private copy. It is one if it was published
// under the name of its folder; parts of packages, such as their benchmarks,
// have a package.json, too.
func (r *Reader) copy(file, dir string, m manifest) {
	if m.private || m.version == "" || path.Base(m.name) != path.Base(dir) {
		return
	}
	owner := r.Carrier(dir) // files nearer the top were read before
	if owner == nil {
		return
	}
	owner.Need(false, r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: m.name, Version: m.version},
		Licences: m.licences, File: file, Installed: true, Dirs: []string{dir},
	}))
}
