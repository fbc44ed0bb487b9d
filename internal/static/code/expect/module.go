package expect

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// exports are the nodes of a file that other files can import. "*" is what a
// CommonJS module exports as a whole.
type exports struct {
	path   string
	python bool
	names  map[string]int
}

type imported struct {
	from   *exports
	module string
	name   string
	node   int
}

// join joins imports with exports. A file can export what it imports, so it is
// done more than once.
func (g *graph) join() {
	byPath, byName := map[string]*exports{}, map[string][]*exports{}
	for _, e := range g.files {
		byPath[e.path] = e
		if e.python {
			stem := strings.TrimSuffix(strings.TrimSuffix(e.path, ".py"), "/__init__")
			byName[path.Base(stem)] = append(byName[path.Base(stem)], e)
		}
	}
	for range 3 {
		for _, m := range g.imports {
			if m.from.python {
				g.joinPython(m, byName)
			} else if e := scriptFile(m.from.path, m.module, byPath); e != nil {
				g.joinNames(m, e)
			}
		}
	}
}

// joinNames joins an import with the exports of a file.
func (g *graph) joinNames(m imported, e *exports) {
	whole := e.names["*"]
	if m.name != "*" {
		if n := e.names[m.name]; n != 0 {
			g.unify(m.node, n)
		} else if whole != 0 && m.name != "default" {
			g.unify(m.node, g.member(whole, m.name))
		} else if whole != 0 {
			g.unify(m.node, whole)
		}
		return
	}
	if whole != 0 {
		g.unify(m.node, whole)
	}
	links := g.nodes[g.find(m.node)].links
	for _, name := range slices.Sorted(maps.Keys(links)) {
		if n := e.names[name]; n != 0 {
			g.unify(links[name], n)
		}
	}
}

// scriptFile returns the file that a path in JavaScript names.
func scriptFile(from, module string, byPath map[string]*exports) *exports {
	if !strings.HasPrefix(module, ".") {
		return nil
	}
	p := path.Join(path.Dir(from), module)
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p, ".js"), ".mjs"), ".cjs")
	for _, at := range []string{p, p + ".js", p + ".mjs", p + ".cjs", stem + ".ts", stem + ".mts", stem + ".tsx", p + "/index.js", p + "/index.ts", p + "/index.mjs"} {
		if e := byPath[at]; e != nil {
			return e
		}
	}
	return nil
}

// joinPython joins an import with a module, or with a name in it.
func (g *graph) joinPython(m imported, byName map[string][]*exports) {
	dots := len(m.module) - len(strings.TrimLeft(m.module, "."))
	slashed := strings.ReplaceAll(strings.TrimLeft(m.module, "."), ".", "/")
	find := func(module string) *exports {
		for _, e := range byName[path.Base(module)] {
			stem := strings.TrimSuffix(strings.TrimSuffix(e.path, ".py"), "/__init__")
			if dots == 0 && (stem == module || strings.HasSuffix(stem, "/"+module)) {
				return e
			}
			dir := path.Dir(m.from.path)
			for range dots - 1 {
				dir = path.Dir(dir)
			}
			if dots > 0 && stem == path.Join(dir, module) {
				return e
			}
		}
		return nil
	}
	if m.name != "*" {
		if e := find(path.Join(slashed, m.name)); e != nil {
			g.joinNames(imported{from: m.from, name: "*", node: m.node}, e)
			return
		}
	}
	if e := find(slashed); e != nil {
		g.joinNames(m, e)
	}
}
