package python

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// project is a directory that says what it needs: the server, or a part of
// its repository.
type project struct {
	part *part.Part
	asks []ask
	// told is set once something said what is needed, even if nothing is.
	told bool
}

// ask is a requirement of a project.
type ask struct {
	requirement

	// soft is set if it works without.
	soft, dev bool
	file      string
	digests   []string
	// via are the packages that a compiled list says asked for it; nil if it
	// is asked for by the project itself.
	via []string
}

// project returns that of a directory.
func (r *Reader) project(dir, file string) *project {
	p := r.projects[dir]
	if p == nil {
		p = &project{part: r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemPyPI}, File: file, Own: true})}
		r.projects[dir] = p
		r.order = append(r.order, dir)
	}
	return p
}

// name enters what a manifest says of its project.
func (r *Reader) name(dir, file, name, version string, licences []string) *project {
	p := r.project(dir, file)
	if name == "" {
		return p
	}
	if p.part == nil || p.part.Name == "" {
		p.part = r.parts.Add(part.Part{
			ID:       part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: normal(name), Version: version},
			Licences: licences, File: file, Own: true,
		})
	}
	if p.part != nil && p.part.Version == "" && p.part.Name == normal(name) {
		if q := r.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: normal(name), Version: version}, Licences: licences, File: file, Own: true}); q != nil {
			p.part = q
		}
	}
	return p
}

// ask adds a requirement as it is written.
func (p *project) ask(text string, a ask) {
	req, ok := parse(text)
	if !ok {
		return
	}
	a.requirement = req
	p.asks = append(p.asks, a)
}

// Finish finds for everything that is asked for what is meant.
func (r *Reader) Finish() {
	for _, file := range r.scripts {
		if p := r.projects[disk.Dir(file)]; p == nil || !p.told {
			r.parts.Note(file, "it is a program, which was not run; what it asks for is not known")
		}
	}
	r.own()
	for _, dir := range r.order {
		r.connect(dir, r.projects[dir])
	}
	r.connectSites()
}

// connect finds what a project asks for: in the lock files that are nearest
// above it, and where it is installed, which may be beside its tree.
func (r *Reader) connect(dir string, p *project) {
	side := part.Aside(strings.TrimPrefix(dir, r.disk.Root(dir)))
	locks := r.nearest(dir)
	for _, a := range p.asks {
		if p.part != nil && a.name == p.part.Name {
			continue // an extra of its own
		}
		found := locks.find(a.name)
		if d := r.installed(dir, a.name); d != nil {
			found = append(found, d.part)
			for _, e := range a.extras {
				r.activate(d, e)
			}
		}
		if len(found) == 0 && !a.soft {
			found = append(found, r.unresolved(dir, a))
		}
		if len(a.via) == 0 {
			p.part.Need(a.dev || side, found...)
			continue
		}
		for _, who := range a.via {
			for _, asker := range locks.find(who) {
				asker.Need(false, found...)
			}
		}
	}
}

type locks []lock

func (l locks) find(name string) []*part.Part {
	var found []*part.Part
	for _, one := range l {
		found = append(found, one[name]...)
	}
	return found
}

func (r *Reader) nearest(dir string) locks {
	for at := dir; ; at = disk.Dir(at) {
		if l := r.locks[at]; len(l) > 0 {
			return l
		}
		if at == r.disk.Root(dir) || at == "" {
			return nil
		}
	}
}

// unresolved is a package of which only the range is known.
func (r *Reader) unresolved(dir string, a ask) *part.Part {
	p := part.Part{
		ID:     part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: a.name, Version: exact(a.spec)},
		Wanted: a.spec, From: source(a.url), File: a.file, Digests: a.digests,
	}
	if p.Version == "" {
		p.Version = r.pins[disk.Below(dir, a.name)]
	}
	switch {
	case p.Version != "" || p.From != "":
		p.Wanted = ""
	case p.Wanted == "":
		p.Wanted = "*"
	}
	return r.parts.Add(p)
}

// source is where a package comes from that no index has, without what may be
// a secret in it.
func source(url string) string {
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || strings.HasPrefix(scheme, "file") {
		return ""
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return scheme + "://" + host + "/" + path
}
