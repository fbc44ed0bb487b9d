package python

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// linker finds the package for each requirement.
type linker struct {
	parts    *part.Collector
	disk     *disk.Disk
	projects *projects
	locks    *lockFiles
	pins     map[string]string
	sites    *sites
}

// link resolves the requirements of all projects and installed packages.
func (lk *linker) link() {
	lk.own()
	for _, dir := range lk.projects.order {
		lk.connect(dir, lk.projects.byDir[dir])
	}
	lk.connectSites()
}

// connect resolves the requirements of a project: in the nearest lock files
// above it, and in its installation, which may be in another tree.
func (lk *linker) connect(dir string, p *project) {
	side := part.Aside(strings.TrimPrefix(dir, lk.disk.Root(dir)))
	locks := lk.locks.nearest(dir)
	for _, a := range p.asks {
		if p.part != nil && a.name == p.part.Name {
			continue // an extra of its own
		}
		found := locks.find(a.name)
		if d := lk.sites.installed(dir, a.name); d != nil {
			found = append(found, d.part)
			for _, e := range a.extras {
				d.activate(e)
			}
		}
		if len(found) == 0 && !a.soft {
			found = append(found, lk.unresolved(dir, a))
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

// unresolved is a package of which only the range is known.
func (lk *linker) unresolved(dir string, a ask) *part.Part {
	p := part.Part{
		ID:     part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: a.name, Version: exact(a.spec)},
		Wanted: a.spec, From: source(a.url), File: a.file, Digests: a.digests,
	}
	if p.Version == "" {
		p.Version = lk.pins[disk.Below(dir, a.name)]
	}
	switch {
	case p.Version != "" || p.From != "":
		p.Wanted = ""
	case p.Wanted == "":
		p.Wanted = "*"
	}
	return lk.parts.Add(p)
}

// own marks the installed packages that are the server itself: those with the
// name of a project, and the only one at the top of the first tree.
func (lk *linker) own() {
	names := map[string]bool{lk.sites.self: lk.sites.self != ""}
	for _, dir := range lk.projects.order {
		if p := lk.projects.byDir[dir].part; p != nil && p.Name != "" && !part.Aside(strings.TrimPrefix(dir, lk.disk.Root(dir))) {
			names[p.Name] = true
		}
	}
	if top := lk.sites.byDir[""]; len(top) == 1 && len(names) == 1 && lk.sites.self == "" {
		for name := range top {
			names[name] = true
		}
	}
	for _, s := range lk.sites.byDir {
		for name, d := range s {
			d.part.Own = names[name]
		}
	}
}

// connectSites resolves the requirements of installed packages. Requirements of
// an extra count only if a package requires that extra; for the server itself
// all extras count.
func (lk *linker) connectSites() {
	var all []*dist
	for _, s := range lk.sites.byDir {
		for _, d := range s {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *dist) int { return strings.Compare(a.part.File, b.part.File) })
	for _, d := range all {
		lk.sites.carry(d)
		for _, req := range d.requires {
			if len(req.only) == 0 || d.part.Own {
				lk.require(d, req)
			}
		}
	}
	for again := true; again; {
		again = false
		for _, d := range all {
			todo := d.todo
			d.todo = nil
			for _, extra := range todo {
				again = true
				for _, req := range d.requires {
					if slices.Contains(req.only, extra) {
						lk.require(d, req)
					}
				}
			}
		}
	}
}

func (lk *linker) require(d *dist, req requirement) {
	target := lk.sites.byDir[d.site][req.name]
	if target == nil {
		target = lk.sites.installed(d.site, req.name)
	}
	switch {
	case target == nil && d.part.Own && len(req.only) == 0:
		d.part.Need(false, lk.unresolved(d.site, ask{requirement: req, file: d.part.File}))
	case target == nil && len(req.only) == 0 && !req.marked:
		lk.parts.Note(d.part.File, "it asks for %s, which is not installed", part.Quote(req.name))
	case target != nil:
		dev := false
		for _, extra := range req.only {
			dev = dev || d.part.Own && spare(extra)
		}
		d.part.Need(dev, target.part)
		for _, extra := range req.extras {
			target.activate(extra)
		}
	}
}
