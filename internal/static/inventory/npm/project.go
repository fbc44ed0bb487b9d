package npm

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// project is a directory with a package.json outside node_modules: the server,
// or a member of its workspace.
type project struct {
	part *part.Part
	asks []ask
	// workspace is set if other directories of the tree belong to it.
	workspace bool
	private   bool
}

// project reads a project's package.json.
func (r *Reader) project(dir, file string, m manifest) {
	p := r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: m.name, Version: m.version},
		Licences: m.licences, File: file, Own: true,
	})
	if p == nil {
		return
	}
	if r.projects[dir] == nil {
		r.order = append(r.order, dir)
	}
	r.projects[dir] = &project{part: p, asks: m.asks, workspace: m.workspace, private: m.private}
}

// expect adds a project from a lock file. It is used only if the project's own
// manifest is missing.
func (r *Reader) expect(dir, file string, m manifest) {
	if r.projects[dir] != nil || m.name == "" && len(m.asks) == 0 {
		return
	}
	r.project(dir, file, m)
}

// Finish resolves all dependencies.
func (r *Reader) Finish() {
	missing := r.tree.connect(r.disk.Root)
	slices.SortFunc(missing, func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) })
	for _, m := range missing {
		r.parts.Note(m[0], "it asks for %s, which is not installed", part.Quote(m[1]))
	}
	for _, dir := range r.order {
		for at := dir; at != ""; at = disk.Dir(at) {
			if top := r.projects[disk.Dir(at)]; top != nil && top.workspace {
				r.names[disk.Below(disk.Dir(at), r.projects[dir].part.Name)] = true
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(r.locks)) {
		for _, l := range r.locks[dir] {
			if l, ok := l.(*packageLock); ok {
				r.differing(l)
			}
		}
	}
	for _, dir := range r.order {
		r.connect(dir, r.projects[dir])
	}
}

// connect resolves the dependencies of a project: in the lock file, and in its
// installation, which may be in another tree.
func (r *Reader) connect(dir string, p *project) {
	if outer := r.Outer(p.part.File); outer != nil {
		r.carried(dir, p, outer)
		return
	}
	side := part.Aside(strings.TrimPrefix(dir, r.disk.Root(dir)))
	for _, a := range p.asks {
		found, own := r.locked(dir, a)
		if at := r.installed(dir, a.name); at != nil {
			found = append(found, at.part)
		}
		if len(found) == 0 && !a.soft && !own && !local(a.spec) && !r.member(dir, a.name) {
			found = append(found, r.unresolved(p.part.File, a))
		}
		p.part.Need(a.dev || side, found...)
	}
}

// carried adds a package that is contained in another. Its dependencies were
// left out there, or are installed.
func (r *Reader) carried(dir string, p *project, outer *part.Part) {
	if p.part.Name == "" || p.part.Version == "" || p.private {
		return
	}
	p.part.Own, p.part.Installed, p.part.Dirs = false, true, []string{dir}
	outer.Need(false, p.part)
	for _, a := range p.asks {
		if at := r.tree.find(dir, r.disk.Root(dir), a.name); at != nil && !a.dev {
			p.part.Need(false, at.part)
		}
	}
}

// locked asks the nearest lock files above the project.
func (r *Reader) locked(dir string, a ask) (found []*part.Part, own bool) {
	for at := dir; ; at = disk.Dir(at) {
		if locks := r.locks[at]; len(locks) > 0 {
			for _, l := range locks {
				parts, mine := l.find(strings.TrimPrefix(strings.TrimPrefix(dir, at), "/"), a)
				found, own = append(found, parts...), own || mine
			}
			return found, own
		}
		if at == r.disk.Root(dir) || at == "" {
			return nil, false
		}
	}
}

func (r *Reader) installed(dir, name string) *place {
	if p := r.tree.find(dir, r.disk.Root(dir), name); p != nil {
		return p
	}
	for _, home := range r.elsewhere() {
		if p := r.tree.at(disk.Below(home, modules+"/"+name)); p != nil {
			return p
		}
	}
	return nil
}

// elsewhere returns the directories of the other trees that have node_modules,
// those nearest the top first.
func (r *Reader) elsewhere() []string {
	// gap: source-not-read
	const most = 64
	if r.homes != nil {
		return r.homes
	}
	r.homes = []string{}
	for dir := range r.tree.places {
		if r.disk.Root(dir) != "" {
			r.homes = append(r.homes, strings.TrimSuffix(dir[:strings.Index("/"+dir, "/"+modules+"/")], "/"))
		}
	}
	slices.SortFunc(r.homes, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
	r.homes = slices.Compact(r.homes)
	r.homes = r.homes[:min(most, len(r.homes))]
	return r.homes
}

// member reports whether a project and one with this name are in the same
// workspace.
func (r *Reader) member(dir, name string) bool {
	for at := dir; ; at = disk.Dir(at) {
		if p := r.projects[at]; p != nil && p.workspace {
			return r.names[disk.Below(at, name)]
		}
		if at == r.disk.Root(dir) || at == "" {
			return false
		}
	}
}

// local reports whether a range means a directory of the same tree.
func local(spec string) bool {
	for _, prefix := range []string{"workspace:", "link:", "file:", "portal:", ".", "/", "~/"} {
		if strings.HasPrefix(spec, prefix) {
			return true
		}
	}
	return false
}

// unresolved is a package of which only the range is known, unless the range
// allows only one version.
func (r *Reader) unresolved(file string, a ask) *part.Part {
	id := part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: a.name}
	spec, from := a.spec, ""
	if alias, ok := strings.CutPrefix(spec, "npm:"); ok {
		id.Name, spec = descriptor(alias)
	} else if from = source(spec); from == "" && strings.Contains(spec, "/") && !strings.Contains(spec, ":") {
		from = source("github:" + spec)
	}
	exact := strings.TrimPrefix(strings.TrimPrefix(spec, "="), "v")
	switch {
	case from != "":
		spec = ""
	case isVersion(exact):
		id.Version, spec = exact, ""
	case spec == "":
		spec = "*"
	}
	return r.parts.Add(part.Part{ID: id, Wanted: spec, From: from, File: file})
}

// isVersion reports whether a range is one full version.
func isVersion(s string) bool {
	core, _, _ := strings.Cut(s, "-")
	core, _, _ = strings.Cut(core, "+")
	numbers := strings.Split(core, ".")
	if len(numbers) != 3 || strings.ContainsAny(s, " |<>=^~*") {
		return false
	}
	for _, n := range numbers {
		if n == "" || strings.Trim(n, "0123456789") != "" {
			return false
		}
	}
	return true
}
