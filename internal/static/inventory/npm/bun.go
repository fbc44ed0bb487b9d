package npm

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// bunLock is a lock file of bun. Its keys are paths of names: "a/b" is the b
// that a uses, where others use another version.
type bunLock struct {
	places  map[string]*place
	members map[string]string // directory of a project: its name
	own     map[string]bool   // names of projects
}

// bunLock reads a bun.lock.
func (r *Reader) bunLock(file, dir string, data []byte) lock {
	doc, err := document.JSONC(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	switch version := doc.Get("lockfileVersion").Word(); version {
	case "0", "1", "2":
	default:
		r.parts.Note(file, "lock file version %s is not known; what could be read of it was", part.Quote(version))
	}
	l := &bunLock{places: make(map[string]*place), members: make(map[string]string), own: make(map[string]bool)}
	for where, e := range doc.Get("workspaces").Fields() {
		m := readManifest(e)
		l.members[strings.Clone(where)] = strings.Clone(m.name)
		l.own[strings.Clone(m.name)] = true
		r.expect(disk.Below(dir, where), file, m)
	}
	for key, e := range doc.Get("packages").Fields() {
		r.bunEntry(l, file, key, e)
	}
	for key, p := range l.places {
		for _, a := range p.asks {
			if found := l.lookup(key, a.name); found != nil {
				p.part.Need(false, found.part)
			}
		}
	}
	return l
}

// bunEntry adds a package: its name and version, then, depending on its origin,
// a registry, an object with its dependencies, a digest.
func (r *Reader) bunEntry(l *bunLock, file, key string, e *document.Value) {
	if len(key) > part.MaxPath {
		r.parts.Note(file, "packages that lie too deep were left out")
		return
	}
	name, version := descriptor(e.At(0).Text())
	for _, local := range []string{"workspace:", "link:", "file:", "root:"} {
		if strings.HasPrefix(version, local) {
			return // a directory of this tree, with its own manifest
		}
	}
	from := ""
	if strings.ContainsAny(version, "/:") {
		from, version = source(version), ""
	}
	at := &place{}
	var digest string
	for item := range e.Items() {
		if item.IsObject() {
			at.asks = asks(item)
		}
		if strings.HasPrefix(item.Text(), "sha") {
			digest = item.Text()
		}
	}
	at.part = r.parts.Add(part.Part{
		ID:      part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: version},
		Digests: []string{digest}, From: from, File: file,
	})
	if at.part != nil {
		l.places[strings.Clone(key)] = at
	}
}

// lookup finds the package that the one at a key uses under a name: the
// nearest, from the longest path to the shortest.
func (l *bunLock) lookup(key, name string) *place {
	for {
		if p := l.places[disk.Below(key, name)]; p != nil {
			return p
		}
		if key == "" {
			return nil
		}
		key = bunParent(key)
	}
}

// bunParent drops the last name of a path, which may have a scope.
func bunParent(key string) string {
	parent := disk.Dir(key)
	if strings.HasPrefix(parent[strings.LastIndexByte(parent, '/')+1:], "@") {
		return disk.Dir(parent)
	}
	return parent
}

func (l *bunLock) find(dir string, a ask) ([]*part.Part, bool) {
	if p := l.lookup(l.members[dir], a.name); p != nil {
		return []*part.Part{p.part}, false
	}
	return nil, l.own[a.name]
}
