package lockfile

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/document"
)

// uvPackage is one entry of a uv.lock.
type uvPackage struct {
	name string
	// folder is where it is in the project, "" if it comes from a registry or from
	// elsewhere.
	folder    string
	elsewhere bool
	// virtual says that its folder is not installed, only what it needs.
	virtual bool
	needs   []*document.Value
}

// uv reads a uv.lock. The project and the members of its workspace are among the
// packages.
func (b *builder) uv(doc *document.Value) error {
	if doc.Get("version").Word() != "1" {
		return errOther
	}
	packages := map[string]uvPackage{}
	root := ""
	for e := range doc.Get("package").Items() {
		p := uvEntry(e)
		if _, twice := packages[p.name]; !twice {
			packages[p.name] = p
		}
		switch {
		case p.folder == ".":
			root = p.name
		case p.folder == "" && !p.elsewhere:
			b.project(pin{name: e.Get("name").Text(), version: e.Get("version").Text(), marker: either(e.Get("resolution-markers").Texts())})
		}
	}
	b.uvReached(packages, root)
	if r, ok := packages[root]; ok && r.virtual {
		b.alone = true
		for d := range doc.Get("package").Items() {
			if normal(d.Get("name").Text()) == root {
				b.uvRequires(d, packages)
			}
		}
	}
	return nil
}

func uvEntry(e *document.Value) uvPackage {
	source := e.Get("source")
	p := uvPackage{name: normal(e.Get("name").Text()), virtual: source.Get("virtual") != nil}
	for _, kind := range []string{"virtual", "editable", "directory"} {
		if where := source.Get(kind).Text(); where != "" {
			p.folder = inside(where)
			p.elsewhere = p.folder == ""
		}
	}
	for _, kind := range []string{"git", "url", "path"} {
		p.elsewhere = p.elsewhere || source.Get(kind) != nil
	}
	p.needs = append(p.needs, e.Get("dependencies"))
	for _, list := range e.Get("optional-dependencies").Fields() {
		p.needs = append(p.needs, list)
	}
	return p
}

// uvReached follows what the project needs, to the members of its workspace, which
// are installed with it, and to packages that come from no registry.
func (b *builder) uvReached(packages map[string]uvPackage, root string) {
	seen := map[string]bool{root: true}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		p, ok := packages[queue[0]]
		if !ok {
			continue
		}
		switch {
		case p.elsewhere:
			b.from(p.name, projectName.MatchString(p.name))
		case p.folder != "" && p.folder != "." && !p.virtual:
			b.members = append(b.members, p.folder)
		}
		for _, list := range p.needs {
			for d := range list.Items() {
				if name := normal(d.Get("name").Text()); !seen[name] {
					seen[name] = true
					queue = append(queue, name)
				}
			}
		}
	}
	slices.Sort(b.members)
}

// uvRequires lists what a project asks for that is not installed itself. Members
// are installed from their folders.
func (b *builder) uvRequires(project *document.Value, packages map[string]uvPackage) {
	for d := range project.Get("dependencies").Items() {
		name := d.Get("name").Text()
		if p := packages[normal(name)]; p.folder == "" && !p.elsewhere {
			b.require(name, d.Get("extra").Texts(), d.Get("marker").Text())
		}
	}
	slices.Sort(b.requires)
	b.requires = slices.Compact(b.requires)
}
