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

// sites are the directories of installed packages on one disk.
type sites struct {
	disk   *disk.Disk
	self   string // the server's own name, if known
	byDir  map[string]site
	tops   map[string]*dist   // top directories of installed packages
	byName map[string][]*dist // built once all sites are known
}

// dist is an installed package.
type dist struct {
	part     *part.Part
	requires []requirement
	site     string
	active   map[string]bool // the extras that some package requires
	todo     []string        // extras still to be resolved
}

func (st *sites) site(dir string) site {
	if st.byDir[dir] == nil {
		st.byDir[dir] = make(site)
	}
	return st.byDir[dir]
}

// installed finds a package by name: in the directory and those above it, then
// anywhere in the tree, then in other trees.
func (st *sites) installed(dir, name string) *dist {
	for at := dir; ; at = disk.Dir(at) {
		if d := st.byDir[at][name]; d != nil {
			return d
		}
		if at == "" {
			break
		}
	}
	home := st.disk.Root(dir)
	candidates := st.named()[name]
	for _, d := range candidates {
		if st.disk.Root(d.site) == home {
			return d
		}
	}
	if len(candidates) > 0 {
		return candidates[0]
	}
	return nil
}

// named returns the importable packages by name, in the order of their
// directories.
func (st *sites) named() map[string][]*dist {
	if st.byName != nil {
		return st.byName
	}
	st.byName = make(map[string][]*dist)
	for _, dir := range slices.Sorted(maps.Keys(st.byDir)) {
		if st.within(dir) != "" {
			continue
		}
		for name, d := range st.byDir[dir] {
			st.byName[name] = append(st.byName[name], d)
		}
	}
	return st.byName
}

// within returns the site that contains another: packages include private
// copies of others.
func (st *sites) within(dir string) string {
	for at := disk.Dir(dir); at != ""; at = disk.Dir(at) {
		if len(st.byDir[at]) > 0 && !inSite(dir[len(at):]+"/") {
			return at
		}
	}
	return ""
}

// carry connects a private copy with the package that contains it.
func (st *sites) carry(d *dist) {
	at := st.within(d.site)
	if at == "" {
		return
	}
	for dir := d.site; dir != at; dir = disk.Dir(dir) {
		if owner := st.tops[dir]; owner != nil {
			owner.part.Need(false, d.part)
			return
		}
	}
}

// activate records that a package requires an extra.
func (d *dist) activate(extra string) {
	if d.active == nil {
		d.active = make(map[string]bool)
	}
	if !d.active[extra] {
		d.active[extra] = true
		d.todo = append(d.todo, extra)
	}
}

// carrier returns the installed package that contains a file, nil if none does.
// A package's directories need not have its name.
func (st *sites) carrier(file string) *part.Part {
	for dir := disk.Dir(file); dir != ""; dir = disk.Dir(dir) {
		if d := st.tops[dir]; d != nil && !d.part.Own && d.part.Name != st.self {
			return d.part
		}
	}
	return nil
}

// described returns the installed package that a metadata directory describes,
// nil if none does.
func (st *sites) described(info string) *part.Part {
	for _, d := range st.byDir[disk.Dir(info)] {
		if d.part.File == info+"/METADATA" {
			return d.part
		}
	}
	return nil
}

// record stores where the files of a package are, from its own list: its
// top-level directories, or those one level deeper if the top is a shared
// namespace, and single files.
func (st *sites) record(d *dist, info string) {
	// gap: source-not-read
	const most = 500
	file := info + "/RECORD"
	if !st.disk.Has(file) {
		st.top(d, disk.Below(d.site, d.part.Name))
		return
	}
	data, ok := st.disk.Read(file)
	if !ok {
		return
	}
	regular := make(map[string]bool) // regular Python packages
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
		st.top(d, disk.Below(d.site, name))
	}
}

// recorded returns the path in a line of RECORD.
func recorded(line string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(line), ",")
	return strings.Trim(name, `"`)
}

// top records that a directory belongs to a package. A directory that several
// share, such as a namespace, belongs to none.
func (st *sites) top(d *dist, dir string) {
	if known, ok := st.tops[dir]; ok && known != d {
		st.tops[dir] = nil
		return
	}
	st.tops[strings.Clone(dir)] = d
}
