package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/resolve"
)

// spot identifies a function of a file.
type spot struct{ file, fn int }

// graph is the call graph, with the tools that lead to each function.
type graph struct {
	files  []*ir.File
	byPath map[string]int
	edges  map[spot][]spot
	tools  map[spot][]string
	names  map[string]bool
}

// maxTools is how many tools are reported for one place.
// no gap: bounds what is shown
const maxTools = 12

func newGraph(files []*ir.File) *graph {
	g := &graph{files: files, byPath: map[string]int{}, edges: map[spot][]spot{}, tools: map[spot][]string{}, names: map[string]bool{}}
	for i, f := range files {
		g.byPath[f.Path] = i
	}
	for i, f := range files {
		g.fillTools(i)
		for _, t := range f.Tools {
			if t.Name != resolve.Dispatcher {
				g.names[t.Name] = true
			}
		}
	}
	for i, f := range files {
		for k := range f.Calls {
			c := &f.Calls[k]
			from := spot{i, c.Func}
			if c.To >= 0 {
				g.edges[from] = append(g.edges[from], spot{i, c.To})
			}
			for _, a := range c.Args {
				if a.Func >= 0 {
					g.edges[from] = append(g.edges[from], spot{i, a.Func})
				}
			}
			if to, ok := g.elsewhere(i, c.Name); ok {
				g.edges[from] = append(g.edges[from], to)
			}
		}
		for k, fn := range f.Funcs {
			if k > 0 && fn.Name == "" && fn.In >= 0 {
				g.edges[spot{i, fn.In}] = append(g.edges[spot{i, fn.In}], spot{i, k})
			}
		}
	}
	g.attribute()
	return g
}

// fillTools gives the tools of a file their texts from other files.
func (g *graph) fillTools(file int) {
	tools := g.files[file].Tools
	for k := range tools {
		t := &tools[k]
		if t.Name == "" {
			t.Name = g.constant(file, t.NameIn)
		}
		if t.Description == "" {
			t.Description = g.constant(file, t.DescriptionIn)
		}
	}
}

// constant returns the text of a constant in another file.
func (g *graph) constant(from int, name string) string {
	f := g.files[from]
	for _, im := range f.Imports {
		rest, ok := strings.CutPrefix(name, im.Module+".")
		if !ok || !strings.HasPrefix(im.Module, ".") {
			continue
		}
		at := path.Join(path.Dir(f.Path), im.Module)
		if f.Language == ir.Python {
			at = path.Join(path.Dir(f.Path), strings.ReplaceAll(strings.TrimLeft(im.Module, "."), ".", "/"))
		}
		if to, ok := g.module(at); ok {
			return g.files[to].Consts[rest]
		}
	}
	return ""
}

// elsewhere finds the function of another file by its name.
func (g *graph) elsewhere(from int, name string) (spot, bool) {
	f := g.files[from]
	if f.Language == ir.Python {
		return g.elsewherePython(f, name)
	}
	if !strings.HasPrefix(name, ".") {
		return spot{}, false
	}
	for _, im := range f.Imports {
		rest, ok := strings.CutPrefix(name, im.Module)
		if !ok || !strings.HasPrefix(im.Module, ".") {
			continue
		}
		to, ok := g.module(path.Join(path.Dir(f.Path), im.Module))
		if !ok {
			continue
		}
		export := "default"
		if rest = strings.TrimPrefix(rest, "."); rest != "" {
			export = rest[strings.LastIndexByte(rest, '.')+1:]
		}
		if fn, ok := g.files[to].Exports[export]; ok {
			return spot{to, fn}, true
		}
	}
	return spot{}, false
}

// module finds the file of a module.
func (g *graph) module(p string) (int, bool) {
	stem := p
	for _, ext := range []string{".js", ".mjs", ".cjs", ".jsx"} {
		stem = strings.TrimSuffix(stem, ext)
	}
	for _, candidate := range []string{p, stem + ".ts", stem + ".tsx", stem + ".js", stem + ".mjs", stem + ".cjs", stem + ".mts", p + "/index.js", p + "/index.ts", p + ".py", p + "/__init__.py"} {
		if i, ok := g.byPath[candidate]; ok {
			return i, true
		}
	}
	return 0, false
}

func (g *graph) elsewherePython(f *ir.File, name string) (spot, bool) {
	dir := path.Dir(f.Path)
	module := name
	for range 3 {
		dot := strings.LastIndexByte(module, '.')
		if dot <= 0 {
			return spot{}, false
		}
		export := name[strings.LastIndexByte(name, '.')+1:]
		module = module[:dot]
		up := dir
		rel := strings.TrimLeft(module, ".")
		for range len(module) - len(rel) - 1 {
			up = path.Dir(up)
		}
		slashed := strings.ReplaceAll(rel, ".", "/")
		for _, at := range []string{path.Join(up, slashed), slashed, path.Join("src", slashed), path.Join(path.Dir(dir), slashed)} {
			if to, ok := g.module(at); ok {
				if fn, ok := g.files[to].Exports[export]; ok {
					return spot{to, fn}, true
				}
			}
		}
	}
	return spot{}, false
}

// attribute follows the handlers of tools to everything they call.
func (g *graph) attribute() {
	for i, f := range g.files {
		for _, t := range f.Tools {
			switch {
			case t.Name == resolve.Dispatcher && t.Func >= 0:
				g.dispatch(i, t.Func)
			case t.Func >= 0:
				g.flood(spot{i, t.Func}, t.Name)
			case t.Call != "":
				if to, ok := g.elsewhere(i, t.Call); ok {
					g.flood(to, t.Name)
				}
			}
		}
	}
}

// dispatch gives each tool the calls under its name.
func (g *graph) dispatch(file, fn int) {
	f := g.files[file]
	for k := range f.Calls {
		c := &f.Calls[k]
		if !g.within(f, c.Func, fn) {
			continue
		}
		for _, name := range g.named(f, c.Conds) {
			if c.To >= 0 {
				g.flood(spot{file, c.To}, name)
			}
			if to, ok := g.elsewhere(file, c.Name); ok {
				g.flood(to, name)
			}
		}
	}
}

func (g *graph) within(f *ir.File, fn, outer int) bool {
	for range 50 {
		if fn == outer {
			return true
		}
		if fn <= 0 {
			return false
		}
		fn = f.Funcs[fn].In
	}
	return false
}

// named returns the tools whose names are in the conditions.
func (g *graph) named(f *ir.File, conds []int) []string {
	var out []string
	for _, c := range conds {
		if f.Conds[c].Not {
			continue
		}
		for _, v := range f.Conds[c].Values {
			if g.names[v] && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

func (g *graph) flood(from spot, tool string) {
	seen := map[spot]bool{from: true}
	queue := []spot{from}
	for len(queue) > 0 && len(seen) < 20_000 {
		at := queue[0]
		queue = queue[1:]
		if list := g.tools[at]; len(list) < maxTools && !slices.Contains(list, tool) {
			g.tools[at] = append(list, tool)
		}
		for _, to := range g.edges[at] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
}

// toolsAt returns the tools that lead to a place.
func (g *graph) toolsAt(file, fn int, conds []int) []string {
	f := g.files[file]
	out := slices.Clone(g.named(f, conds))
	for at := fn; at >= 0 && len(out) == 0; at = f.Funcs[at].In {
		out = append(out, g.tools[spot{file, at}]...)
		if at == 0 {
			break
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// leadsTo reports whether a function calls something that meant accepts,
// directly or through others.
func (g *graph) leadsTo(from spot, meant func(file int, c *ir.Call) bool) *ir.Call {
	seen := map[spot]bool{from: true}
	queue := []spot{from}
	for len(queue) > 0 && len(seen) < 500 {
		at := queue[0]
		queue = queue[1:]
		f := g.files[at.file]
		for k := range f.Calls {
			if c := &f.Calls[k]; c.Func == at.fn && meant(at.file, c) {
				return c
			}
		}
		for _, to := range g.edges[at] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return nil
}
