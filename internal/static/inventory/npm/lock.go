package npm

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// packageLock is a lock file of npm: the package in each directory.
type packageLock struct {
	file, dir string
	tree      *tree
	links     map[string]string
}

// packageLock reads package-lock.json, npm-shrinkwrap.json and the hidden lock
// file of node_modules, of any version.
func (r *Reader) packageLock(file, dir string, data []byte) lock {
	doc, err := document.JSON(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	l := &packageLock{links: make(map[string]string)}
	l.tree = newTree(l.follow)
	switch version := doc.Get("lockfileVersion").Word(); version {
	case "", "1", "2", "3":
	default:
		r.parts.Note(file, "lock file version %s is not known; what could be read of it was", part.Quote(version))
	}
	switch packages := doc.Get("packages"); {
	case packages.IsObject():
		for where, entry := range packages.Fields() {
			r.lockEntry(l, file, dir, where, entry)
		}
	case doc.Get("dependencies").IsObject():
		r.oldLock(l, file, "", doc.Get("dependencies"))
	default:
		r.parts.Note(file, "it lists no packages")
	}
	l.tree.connect(func(string) string { return "" })
	l.file, l.dir = file, dir
	return l
}

// lockEntry reads an entry of a lock file of npm 7 or later.
func (r *Reader) lockEntry(l *packageLock, file, dir, where string, e *document.Value) {
	if len(where) > part.MaxPath {
		r.parts.Note(file, "packages that lie too deep were left out")
		return
	}
	if e.Get("link").True() {
		l.links[where] = path.Clean(e.Get("resolved").Text())
		return
	}
	if where == "" || !strings.Contains("/"+where, "/"+modules+"/") {
		m := readManifest(e)
		if m.name == "" {
			m.name = r.nameOf(where)
		}
		r.expect(disk.Below(dir, where), file, m)
		return
	}
	name := e.Get("name").Text()
	if name == "" {
		name = where[strings.LastIndex("/"+where, "/"+modules+"/")+len(modules)+1:]
	}
	p := r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: e.Get("version").Text()},
		Licences: licences(e), Digests: []string{e.Get("integrity").Text()}, From: source(e.Get("resolved").Text()),
		File: file, Dev: e.Get("dev").True(),
	})
	if p != nil {
		l.tree.places[strings.Clone(where)] = &place{part: p, asks: asks(e)}
	}
}

// nameOf returns the name of a package whose lock file entry has none.
func (*Reader) nameOf(where string) string {
	if where == "" {
		return ""
	}
	return path.Base(where)
}

// oldLock reads the entries of a lock file of npm 6 or earlier, which are
// nested like directories.
func (r *Reader) oldLock(l *packageLock, file, where string, entries *document.Value) {
	for name, e := range entries.Fields() {
		id, from := oldVersion(name, e.Get("version").Text())
		if strings.HasPrefix(id.Version, "file:") {
			continue // a directory of this tree, with its own manifest
		}
		if from == "" {
			from = source(e.Get("resolved").Text())
		}
		dir := strings.Clone(disk.Below(where, modules+"/"+name))
		if len(dir) > part.MaxPath {
			r.parts.Note(file, "packages that lie too deep were left out")
			continue
		}
		p := r.parts.Add(part.Part{
			ID: id, Digests: []string{e.Get("integrity").Text()}, From: from, File: file, Dev: e.Get("dev").True(),
		})
		if p != nil {
			at := &place{part: p}
			for need := range e.Get("requires").Fields() {
				at.asks = append(at.asks, ask{name: strings.Clone(need)})
			}
			l.tree.places[dir] = at
		}
		r.oldLock(l, file, dir, e.Get("dependencies"))
	}
}

// oldVersion parses a version that may be an alias or an address.
func oldVersion(name, version string) (id part.ID, from string) {
	id = part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: version}
	if alias, ok := strings.CutPrefix(version, "npm:"); ok {
		id.Name, id.Version = descriptor(alias)
	} else if strings.Contains(version, "://") || strings.HasPrefix(version, "github:") {
		from, id.Version = source(version), ""
	}
	return id, from
}

func (l *packageLock) follow(p string) string {
	if len(l.links) == 0 {
		return p
	}
	if target, ok := l.links[p]; ok {
		return target
	}
	return p
}

func (l *packageLock) find(dir string, a ask) ([]*part.Part, bool) {
	if p := l.tree.find(dir, "", a.name); p != nil {
		return []*part.Part{p.part}, false
	}
	_, own := l.links[modules+"/"+a.name]
	return nil, own
}

// differing notes where the installed version differs from the lock file.
func (r *Reader) differing(l *packageLock) {
	var dirs []string
	for where, p := range l.tree.places {
		if there := r.tree.places[disk.Below(l.dir, where)]; there != nil && there.part.ID != p.part.ID {
			dirs = append(dirs, where)
		}
	}
	if len(dirs) == 0 {
		return
	}
	where := slices.Min(dirs)
	locked, is := l.tree.places[where].part, r.tree.places[disk.Below(l.dir, where)].part
	r.parts.Note(l.file, "%d packages are installed that are not those it lists, such as %s: %s %s, not %s %s",
		len(dirs), part.Quote(where), is.Name, is.Version, locked.Name, locked.Version)
}

// descriptor splits "name@range", where the name may begin with an "@".
func descriptor(s string) (name, spec string) {
	if s == "" {
		return "", ""
	}
	i := strings.IndexByte(s[1:], '@')
	if i < 0 {
		return s, ""
	}
	return s[:i+1], s[i+2:]
}
