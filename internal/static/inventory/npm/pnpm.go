package npm

import (
	"maps"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// pnpmLock is a lock file of pnpm: the resolved dependencies of each project,
// and of each package with its peers.
type pnpmLock struct {
	places    map[string]*place            // by key, as written
	importers map[string]map[string]string // project, name: reference
}

// pnpmLock reads a pnpm-lock.yaml or shrinkwrap.yaml of any version.
func (r *Reader) pnpmLock(file, dir string, data []byte) lock {
	docs, err := document.YAML(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	l := &pnpmLock{places: make(map[string]*place), importers: make(map[string]map[string]string)}
	known := false
	for _, doc := range docs {
		version := doc.Get("lockfileVersion").Word()
		if version == "" {
			version = doc.Get("shrinkwrapVersion").Word()
		}
		if version != "" {
			known = true
			r.pnpmDocument(l, file, dir, doc, version)
		}
	}
	if !known {
		r.parts.Note(file, "it does not say which version of a lock file it is")
	}
	for _, p := range l.places {
		for _, a := range p.asks {
			if found := l.reference(a.name, a.spec); found != nil {
				p.part.Need(false, found.part)
			}
		}
	}
	return l
}

func (r *Reader) pnpmDocument(l *pnpmLock, file, dir string, doc *document.Value, version string) {
	major, _, _ := strings.Cut(version, ".")
	switch major {
	case "3", "4", "5", "6", "7", "9":
	default:
		r.parts.Note(file, "lock file version %s is not known; what could be read of it was", part.Quote(version))
	}
	old := len(major) == 1 && major < "6"
	snapshots := doc.Get("snapshots")
	for key, e := range doc.Get("packages").Fields() {
		if snapshots != nil {
			break
		}
		r.pnpmEntry(l, file, key, old, e, e)
	}
	packages := maps.Collect(doc.Get("packages").Fields())
	for key, e := range snapshots.Fields() {
		bare, _, _ := strings.Cut(key, "(")
		r.pnpmEntry(l, file, key, old, packages[bare], e)
	}
	importers := doc.Get("importers")
	if !importers.IsObject() {
		r.importer(l, file, dir, ".", doc)
	}
	for where, e := range importers.Fields() {
		r.importer(l, file, dir, where, e)
	}
}

// pnpmEntry adds a package. In newer files its metadata and its resolved
// dependencies are in two places.
func (r *Reader) pnpmEntry(l *pnpmLock, file, key string, old bool, about, given *document.Value) {
	name, version := pnpmKey(key, old)
	if s := about.Get("name").Word(); s != "" {
		name = s
	}
	if s := about.Get("version").Word(); s != "" {
		version = s
	}
	if about.Get("resolution", "type").Word() == "directory" || strings.HasPrefix(version, "file:") && !strings.HasSuffix(version, ".tgz") {
		return // a directory of this tree, with its own manifest
	}
	from := source(about.Get("resolution", "tarball").Word())
	if repo := about.Get("resolution", "repo").Word(); repo != "" {
		from = source("git+" + strings.TrimPrefix(repo, "git+") + "#" + about.Get("resolution", "commit").Word())
	}
	if strings.ContainsAny(version, "/:") {
		if from == "" {
			from = source(version)
		}
		version = ""
	}
	p := r.parts.Add(part.Part{
		ID:      part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: version},
		Digests: []string{about.Get("resolution", "integrity").Word()},
		From:    from, File: file, Dev: given.Get("dev").True(),
	})
	if p == nil {
		return
	}
	at := &place{part: p}
	for _, section := range []string{"dependencies", "optionalDependencies"} {
		for name, ref := range given.Get(section).Fields() {
			at.asks = append(at.asks, ask{name: strings.Clone(name), spec: strings.Clone(ref.Word())})
		}
	}
	l.places[strings.Clone(key)] = at
}

// importer reads the resolved dependencies of a project.
func (r *Reader) importer(l *pnpmLock, file, dir, where string, e *document.Value) {
	where = strings.Trim(strings.TrimPrefix(where, "./"), "/")
	if where == "." {
		where = ""
	}
	m := manifest{}
	given := make(map[string]string)
	for _, section := range []string{"dependencies", "optionalDependencies", "devDependencies"} {
		for name, v := range e.Get(section).Fields() {
			ref := v.Word()
			if v.IsObject() {
				ref = v.Get("version").Word()
			}
			name = strings.Clone(name)
			given[name] = strings.Clone(ref)
			m.asks = append(m.asks, ask{name: name, dev: section == "devDependencies", soft: section == "optionalDependencies"})
		}
	}
	l.importers[strings.Clone(where)] = given
	r.expect(disk.Below(dir, where), file, m)
}

// pnpmKey splits a key. Files up to version 5 have "/name/1.0.0_peers", later
// ones "/name@1.0.0(peers)".
func pnpmKey(key string, old bool) (name, version string) {
	key = strings.TrimPrefix(key, "/")
	if !old {
		key, _, _ = strings.Cut(key, "(")
		return descriptor(key)
	}
	segments := strings.Split(key, "/")
	if strings.Contains(segments[0], ".") && len(segments) > 2 && !strings.HasPrefix(segments[0], "@") {
		segments = segments[1:] // the host of a registry
	}
	last := 1
	if strings.HasPrefix(segments[0], "@") {
		last = 2
	}
	if len(segments) <= last {
		return key, ""
	}
	version, _, _ = strings.Cut(segments[last], "_")
	return strings.Join(segments[:last], "/"), version
}

// reference resolves a reference: a version, or a whole key if the package has
// an alias.
func (l *pnpmLock) reference(name, ref string) *place {
	for _, key := range []string{ref, name + "@" + ref, "/" + name + "@" + ref, "/" + name + "/" + ref} {
		if p := l.places[key]; p != nil {
			return p
		}
	}
	return nil
}

func (l *pnpmLock) find(dir string, a ask) ([]*part.Part, bool) {
	ref := l.importers[dir][a.name]
	if strings.HasPrefix(ref, "link:") {
		return nil, true
	}
	if p := l.reference(a.name, ref); p != nil {
		return []*part.Part{p.part}, false
	}
	return nil, false
}
