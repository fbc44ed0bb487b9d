// Package rust reads the files that list crates.
//
// It takes Cargo.lock and the Cargo.toml beside it and below it, and returns
// parts and their dependencies.
package rust

import (
	"maps"
	"path"
	"slices"
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
	// Carrier returns the package that contains a file, nil if none does.
	Carrier func(file string) *part.Part

	manifests map[string]*manifest // by name of the package
	locks     []*lock
	locked    map[string]bool // directories with a lock file
}

// manifest holds the relevant parts of a Cargo.toml.
type manifest struct {
	file     string
	licences []string
	// run and dev are its dependencies, with their ranges.
	run, dev map[string]string
}

// lock is a Cargo.lock.
type lock struct {
	file    string
	crates  []*crate
	byName  map[string][]*crate
	version string
}

type crate struct {
	part  *part.Part
	needs []string
}

// New returns a reader of crates.
func New(parts *part.Collector, d *disk.Disk) *Reader {
	return &Reader{parts: parts, disk: d, Carrier: func(string) *part.Part { return nil }, manifests: make(map[string]*manifest), locked: make(map[string]bool)}
}

// Wants reports whether a file lists crates.
func (r *Reader) Wants(file string) bool {
	dir, base := path.Split(file)
	return (base == "Cargo.lock" || base == "Cargo.toml") &&
		!strings.Contains("/"+dir, "/node_modules/") && !strings.Contains("/"+dir, "/vendor/") && !strings.Contains("/"+dir, "/target/")
}

// Read reads a file.
func (r *Reader) Read(file string) {
	if r.Carrier(file) != nil {
		return // development files of an installed package
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	doc, err := document.TOML(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	if path.Base(file) == "Cargo.lock" {
		r.lock(file, doc)
	} else {
		r.manifest(file, doc)
	}
}

func (r *Reader) manifest(file string, doc *document.Value) {
	name := doc.Get("package", "name").Text()
	if name == "" {
		return // a workspace, whose members have their own
	}
	m := &manifest{
		file: file, licences: []string{doc.Get("package", "license").Text()},
		run: make(map[string]string), dev: make(map[string]string),
	}
	m.tables(doc)
	for _, target := range doc.Get("target").Fields() {
		m.tables(target)
	}
	if known := r.manifests[name]; known == nil {
		r.manifests[strings.Clone(name)] = m
	}
	me := r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemRust, Name: name, Version: doc.Get("package", "version").Text()},
		Licences: m.licences, File: file, Own: true,
	})
	if !r.lockedAbove(file) {
		r.unlocked(me, m)
	}
}

func (m *manifest) tables(doc *document.Value) {
	for section, to := range map[string]map[string]string{"dependencies": m.run, "build-dependencies": m.run, "dev-dependencies": m.dev} {
		for name, v := range doc.Get(section).Fields() {
			if published := v.Get("package").Text(); published != "" {
				name = published
			}
			spec := v.Text()
			if v.IsObject() {
				spec = v.Get("version").Text()
			}
			if v.Get("path").Text() == "" {
				to[strings.Clone(name)] = strings.Clone(spec)
			}
		}
	}
}

// lockedAbove reports whether a lock file has the resolved versions of a
// manifest. Files nearer the top are read first.
func (r *Reader) lockedAbove(file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if r.locked[dir] {
			return true
		}
		if dir == "." || dir == r.disk.Root(file) {
			return false
		}
	}
}

// unlocked adds a project without a lock file: only ranges are known.
func (r *Reader) unlocked(me *part.Part, m *manifest) {
	side := part.Aside(strings.TrimPrefix(path.Dir(m.file), r.disk.Root(m.file)))
	for i, list := range []map[string]string{m.run, m.dev} {
		dev := i == 1
		for _, need := range slices.Sorted(maps.Keys(list)) {
			spec := list[need]
			if spec == "" {
				spec = "*"
			}
			me.Need(dev || side, r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemRust, Name: need}, Wanted: spec, File: m.file}))
		}
	}
}

// lock reads a lock file.
func (r *Reader) lock(file string, doc *document.Value) {
	l := &lock{file: file, byName: make(map[string][]*crate), version: doc.Get("version").Word()}
	switch l.version {
	case "", "1", "2", "3", "4":
	default:
		r.parts.Note(file, "lock file version %s is not known; what could be read of it was", part.Quote(l.version))
	}
	older := doc.Get("metadata") // checksums, up to version 1
	for e := range doc.Get("package").Items() {
		name, version, source := e.Get("name").Text(), e.Get("version").Text(), e.Get("source").Text()
		sum := e.Get("checksum").Text()
		if sum == "" {
			sum = older.Get("checksum " + name + " " + version + " (" + source + ")").Text()
		}
		p := r.parts.Add(part.Part{
			ID:      part.ID{Ecosystem: mcpsf.EcosystemRust, Name: name, Version: version},
			Digests: []string{"sha256:" + sum}, From: address(source), File: file, Own: source == "",
		})
		if p != nil {
			c := &crate{part: p, needs: clones(e.Get("dependencies").Texts())}
			l.crates = append(l.crates, c)
			if len(l.byName[p.Name]) < part.MaxVersions {
				l.byName[p.Name] = append(l.byName[p.Name], c)
			}
		}
	}
	r.locks = append(r.locks, l)
	r.locked[path.Dir(file)] = true
}

// address returns the origin of a crate, "" for a registry.
func address(source string) string {
	if !strings.HasPrefix(source, "git+") {
		return ""
	}
	scheme, rest, _ := strings.Cut(source, "://")
	host, where, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	where, commit, _ := strings.Cut(where, "#")
	where, _, _ = strings.Cut(where, "?")
	return scheme + "://" + host + "/" + where + "@" + commit
}

func clones(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = strings.Clone(s)
	}
	return out
}

// Finish resolves the dependencies of every crate.
func (r *Reader) Finish() {
	for _, l := range r.locks {
		side := part.Aside(strings.TrimPrefix(path.Dir(l.file), r.disk.Root(l.file)))
		for _, c := range l.crates {
			var m *manifest
			if c.part.Own {
				m = r.manifests[c.part.Name]
			}
			for _, need := range c.needs {
				for _, found := range l.find(need) {
					c.part.Need(c.part.Own && side || m.onlyDev(found.part.Name), found.part)
				}
			}
		}
	}
}

// onlyDev reports whether a package is only a development dependency of a
// manifest.
func (m *manifest) onlyDev(name string) bool {
	if m == nil {
		return false
	}
	_, run := m.run[name]
	_, dev := m.dev[name]
	return dev && !run
}

// find resolves "name", "name version" and "name version (source)".
func (l *lock) find(need string) []*crate {
	fields := strings.Fields(need)
	if len(fields) == 0 {
		return nil
	}
	var out []*crate
	for _, c := range l.byName[fields[0]] {
		if len(fields) == 1 || c.part.Version == fields[1] {
			out = append(out, c)
		}
	}
	return out
}
