package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// site is a directory with installed packages, by normalised name.
type site map[string]*dist

// dist is an installed package.
type dist struct {
	part     *part.Part
	requires []requirement
	site     string
	active   map[string]bool // the extras that somebody asked for
	todo     []string        // those of them that are still to be looked at
}

func (r *Reader) site(dir string) site {
	if r.sites[dir] == nil {
		r.sites[dir] = make(site)
	}
	return r.sites[dir]
}

// own marks the installed packages that are the server itself: those with the
// name of a project, and the only one at the top of the first tree.
func (r *Reader) own() {
	names := map[string]bool{r.self: r.self != ""}
	for _, dir := range r.order {
		if p := r.projects[dir].part; p != nil && p.Name != "" && !part.Aside(strings.TrimPrefix(dir, r.disk.Root(dir))) {
			names[p.Name] = true
		}
	}
	if top := r.sites[""]; len(top) == 1 && len(names) == 1 && r.self == "" {
		for name := range top {
			names[name] = true
		}
	}
	for _, s := range r.sites {
		for name, d := range s {
			d.part.Own = names[name]
		}
	}
}

// installed finds a package by name: in the directory and those above it, then
// anywhere in the tree, then in the others.
func (r *Reader) installed(dir, name string) *dist {
	for at := dir; ; at = disk.Dir(at) {
		if d := r.sites[at][name]; d != nil {
			return d
		}
		if at == "" {
			break
		}
	}
	home := r.disk.Root(dir)
	candidates := r.named()[name]
	for _, d := range candidates {
		if r.disk.Root(d.site) == home {
			return d
		}
	}
	if len(candidates) > 0 {
		return candidates[0]
	}
	return nil
}

// named are the packages that are there for all, by name, in the order of
// their directories.
func (r *Reader) named() map[string][]*dist {
	if r.byName != nil {
		return r.byName
	}
	r.byName = make(map[string][]*dist)
	for _, dir := range slices.Sorted(maps.Keys(r.sites)) {
		if r.within(dir) != "" {
			continue
		}
		for name, d := range r.sites[dir] {
			r.byName[name] = append(r.byName[name], d)
		}
	}
	return r.byName
}

// within is the site that a site lies in: packages carry copies of others for
// themselves alone.
func (r *Reader) within(dir string) string {
	for at := disk.Dir(dir); at != ""; at = disk.Dir(at) {
		if len(r.sites[at]) > 0 && !inSite(dir[len(at):]+"/") {
			return at
		}
	}
	return ""
}

// connectSites finds what installed packages need. What an extra needs counts
// once somebody asked for the extra; of the server itself all extras count.
func (r *Reader) connectSites() {
	var all []*dist
	for _, s := range r.sites {
		for _, d := range s {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *dist) int { return strings.Compare(a.part.File, b.part.File) })
	for _, d := range all {
		r.carry(d)
		for _, req := range d.requires {
			if len(req.only) == 0 || d.part.Own {
				r.require(d, req)
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
						r.require(d, req)
					}
				}
			}
		}
	}
}

// carry connects a copy with the package that carries it.
func (r *Reader) carry(d *dist) {
	at := r.within(d.site)
	if at == "" {
		return
	}
	for dir := d.site; dir != at; dir = disk.Dir(dir) {
		if owner := r.tops[dir]; owner != nil {
			owner.part.Need(false, d.part)
			return
		}
	}
}

func (r *Reader) require(d *dist, req requirement) {
	target := r.sites[d.site][req.name]
	if target == nil {
		target = r.installed(d.site, req.name)
	}
	switch {
	case target == nil && d.part.Own && len(req.only) == 0:
		d.part.Need(false, r.unresolved(d.site, ask{requirement: req, file: d.part.File}))
	case target == nil && len(req.only) == 0 && !req.marked:
		r.parts.Note(d.part.File, "it asks for %s, which is not installed", part.Quote(req.name))
	case target != nil:
		dev := false
		for _, extra := range req.only {
			dev = dev || d.part.Own && spare(extra)
		}
		d.part.Need(dev, target.part)
		for _, extra := range req.extras {
			r.activate(target, extra)
		}
	}
}

func (*Reader) activate(d *dist, extra string) {
	if d.active == nil {
		d.active = make(map[string]bool)
	}
	if !d.active[extra] {
		d.active[extra] = true
		d.todo = append(d.todo, extra)
	}
}

// Carrier is the installed package that a file belongs to, nil if none does.
// The directories of packages are not always called as the packages are.
func (r *Reader) Carrier(file string) *part.Part {
	for dir := disk.Dir(file); dir != ""; dir = disk.Dir(dir) {
		if d := r.tops[dir]; d != nil && !d.part.Own && d.part.Name != r.self {
			return d.part
		}
	}
	return nil
}

// Described is the installed package that a directory of metadata describes, nil
// if none does.
func (r *Reader) Described(info string) *part.Part {
	for _, d := range r.sites[disk.Dir(info)] {
		if d.part.File == info+"/METADATA" {
			return d.part
		}
	}
	return nil
}

// record remembers where the files of a package are, which it lists itself: its
// directories at the top, or one deeper where the top is a namespace of many,
// and files that stand alone.
func (r *Reader) record(d *dist, info string) {
	const most = 500
	file := info + "/RECORD"
	if !r.disk.Has(file) {
		r.top(d, disk.Below(d.site, d.part.Name))
		return
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return
	}
	regular := make(map[string]bool) // directories that are packages of Python
	for line := range strings.Lines(string(data)) {
		if dir, ok := strings.CutSuffix(recorded(line), "/__init__.py"); ok && !strings.Contains(dir, "/") {
			regular[dir] = true
		}
	}
	places := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		name := recorded(line)
		first, rest, deeper := strings.Cut(name, "/")
		switch {
		case name == "" || first == ".." || first == "bin" || strings.HasSuffix(first, ".dist-info") || len(places) >= most:
			continue
		case deeper && first != "__pycache__" && regular[first]:
			name = first
		case deeper && first != "__pycache__":
			if second, _, more := strings.Cut(rest, "/"); more {
				name = first + "/" + second
			}
		}
		places[strings.Clone(name)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(places)) {
		d.part.Dirs = append(d.part.Dirs, disk.Below(d.site, name))
		r.top(d, disk.Below(d.site, name))
	}
}

// recorded is the path of a line of RECORD.
func recorded(line string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(line), ",")
	return strings.Trim(name, `"`)
}

// top enters a directory of a package. Where several have one, as namespaces
// do, it belongs to none.
func (r *Reader) top(d *dist, dir string) {
	if known, ok := r.tops[dir]; ok && known != d {
		r.tops[dir] = nil
		return
	}
	r.tops[strings.Clone(dir)] = d
}
