package python

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// project is a directory with requirements: the server, or a part of its
// repository.
type project struct {
	part *part.Part
	asks []ask
	// told is set once a file has listed the requirements, even if there are
	// none.
	told bool
}

// ask is a requirement of a project.
type ask struct {
	requirement

	// soft is set if it is optional.
	soft, dev bool
	file      string
	digests   []string
	// via are the packages that require it according to a compiled list; nil if
	// the project itself does.
	via []string
}

// projects are the projects of one disk, with their manifests.
type projects struct {
	parts    *part.Collector
	byDir    map[string]*project
	order    []string        // directories, in the order found
	scripts  []string        // setup.py files, which are not run
	scripted map[string]bool // their directories
}

// script records a setup.py.
func (ps *projects) script(file string) {
	ps.scripts = append(ps.scripts, file)
	ps.scripted[disk.Dir(file)] = true
}

// noteScripts notes each setup.py whose requirements are in no other file.
func (ps *projects) noteScripts() {
	for _, file := range ps.scripts {
		if p := ps.byDir[disk.Dir(file)]; p == nil || !p.told {
			ps.parts.Note(file, "it is a program, which was not run; what it asks for is not known")
		}
	}
}

// project returns that of a directory.
func (ps *projects) project(dir, file string) *project {
	p := ps.byDir[dir]
	if p == nil {
		p = &project{part: ps.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemPyPI}, File: file, Own: true})}
		ps.byDir[dir] = p
		ps.order = append(ps.order, dir)
	}
	return p
}

// name records the name, version and licences from a manifest.
func (ps *projects) name(dir, file, name, version string, licences []string) *project {
	p := ps.project(dir, file)
	if name == "" {
		return p
	}
	if p.part == nil || p.part.Name == "" {
		p.part = ps.parts.Add(part.Part{
			ID:       part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: normal(name), Version: version},
			Licences: licences, File: file, Own: true,
		})
	}
	if p.part != nil && p.part.Version == "" && p.part.Name == normal(name) {
		if q := ps.parts.Add(part.Part{ID: part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: normal(name), Version: version}, Licences: licences, File: file, Own: true}); q != nil {
			p.part = q
		}
	}
	return p
}

// ask adds a requirement as written.
func (p *project) ask(text string, a ask) {
	req, ok := parse(text)
	if !ok {
		return
	}
	a.requirement = req
	p.asks = append(p.asks, a)
}

type locks []lock

func (l locks) find(name string) []*part.Part {
	var found []*part.Part
	for _, one := range l {
		found = append(found, one[name]...)
	}
	return found
}

// source returns the origin of a package that is in no index, without possible
// secrets.
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

// built finds the project whose build left an egg-info directory here, and
// returns false if an installation left it.
func (ps *projects) built(dir string) (string, bool) {
	at := dir
	if path.Base(dir) == "src" {
		at = disk.Dir(dir)
	}
	p := ps.byDir[at]
	return at, ps.scripted[at] || p != nil && p.part != nil && p.part.Name != ""
}

// source reads the metadata of a source package: the project's own name,
// version and requirements.
func (ps *projects) source(dir, file string, m metadata) {
	if m.name == "" {
		return
	}
	p := ps.name(dir, file, m.name, m.version, m.licences)
	if p.told && len(p.asks) > 0 {
		return
	}
	p.told = true
	for _, req := range m.requires {
		a := ask{requirement: req, file: file, soft: len(req.only) > 0}
		for _, extra := range req.only {
			a.dev = a.dev || spare(extra)
		}
		p.asks = append(p.asks, a)
	}
}

// uvProject reads a project from the lock file. It is used only if the
// project's own manifest is missing.
func (ps *projects) uvProject(dir, file string, e *document.Value) {
	if ps.byDir[dir] != nil {
		return
	}
	p := ps.name(dir, file, e.Get("name").Text(), e.Get("version").Text(), nil)
	for d := range e.Get("dependencies").Items() {
		p.ask(d.Get("name").Text(), ask{file: file})
	}
	for _, list := range e.Get("dev-dependencies").Fields() {
		for d := range list.Items() {
			p.ask(d.Get("name").Text(), ask{file: file, dev: true})
		}
	}
}
