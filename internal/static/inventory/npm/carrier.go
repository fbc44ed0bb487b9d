package npm

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// Carrier is the installed package that a file belongs to, nil if none does.
func (r *Reader) Carrier(file string) *part.Part {
	for dir := disk.Dir(file); dir != ""; dir = disk.Dir(dir) {
		if p := r.tree.places[dir]; p != nil {
			return p.part
		}
	}
	return nil
}

// copied reports whether a directory is where an installed package keeps copies
// of others for itself.
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

// copy takes in the description of a package that another has a copy of. It is
// one if it was published under the name of its folder; parts of packages, such
// as their benchmarks, describe themselves, too.
func (r *Reader) copy(file, dir string, m manifest) {
	if m.private || m.version == "" || path.Base(m.name) != path.Base(dir) {
		return
	}
	owner := r.Carrier(dir) // what is nearer the top was read before
	if owner == nil {
		return
	}
	owner.Need(false, r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: m.name, Version: m.version},
		Licences: m.licences, File: file, Installed: true, Dirs: []string{dir},
	}))
}
