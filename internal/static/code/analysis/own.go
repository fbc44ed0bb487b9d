package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// ComputedImport is the name of a place where something is loaded whose name is
// not written there.
const ComputedImport = "import of something computed"

// OwnFile is a source file of the server itself, as far as it matters whether
// its code ran.
type OwnFile struct {
	Path string
	// Python is set for Python; all others are JavaScript or TypeScript.
	Python bool
	// Aside is set for tests, examples and the like.
	Aside bool
	// Places are where it uses the network, files or programs, or makes code.
	Places []mcpsf.CodePlace
	// Loads are the own files that it can load.
	Loads []string
	// Computed are the lines where it loads something whose name is not written
	// there.
	Computed []int
}

// OwnFiles returns the server's own files.
func (p *Package) OwnFiles() []OwnFile {
	places := map[string][]mcpsf.CodePlace{}
	for _, place := range p.Places() {
		switch place.Capability {
		case mcpsf.CapabilityNetwork, mcpsf.CapabilityFiles, mcpsf.CapabilityExec, mcpsf.CapabilityDynamic, mcpsf.CapabilityNative:
			places[place.Path] = append(places[place.Path], place.CodePlace)
		}
	}
	out := make([]OwnFile, 0, len(p.Files))
	for i, f := range p.Files {
		o := OwnFile{
			Path: f.Path, Python: f.Language == ir.Python, Aside: beside(f.Path),
			Places: append(places[f.Path], computedCalls(f)...), Loads: p.graph.loads(i),
		}
		for _, im := range f.Imports {
			if im.Unknown {
				o.Computed = append(o.Computed, im.Line)
			}
		}
		out = append(out, o)
	}
	return out
}

// computedCalls returns where Python calls what getattr returned.
func computedCalls(f *ir.File) []mcpsf.CodePlace {
	if f.Language != ir.Python {
		return nil
	}
	var out []mcpsf.CodePlace
	for i := range f.Calls {
		c := &f.Calls[i]
		made := c.Name == "getattr()" || c.Name == "?" && slices.ContainsFunc(f.Calls, func(o ir.Call) bool { return o.Line == c.Line && o.Name == "getattr" })
		if made {
			out = append(out, mcpsf.CodePlace{Path: f.Path, Line: c.Line, Name: "getattr()"})
		}
	}
	return out
}

// loads returns the files that a file imports or names in a text.
func (g *graph) loads(from int) []string {
	f := g.files[from]
	found := map[string]bool{}
	for _, im := range f.Imports {
		if im.Unknown {
			continue
		}
		for _, to := range g.imported(f, im.Module) {
			found[to] = true
		}
	}
	named := map[string]bool{}
	for i := range f.Texts {
		if t := f.Texts[i].Text; strings.ContainsAny(t, "./") && len(t) <= maxFileName {
			named[path.Base(t)] = true
		}
	}
	for _, to := range g.files {
		base := path.Base(to.Path)
		if named[base] || named[strings.TrimSuffix(base, path.Ext(base))] && to.Language != ir.Python {
			found[to.Path] = true
		}
	}
	delete(found, f.Path)
	out := make([]string, 0, len(found))
	for to := range found {
		out = append(out, to)
	}
	slices.Sort(out)
	return out
}

// maxFileName is the length of the longest text that can name a file.
// no gap: longer names are no paths
const maxFileName = 4096

// imported returns the files that a module can be. Of a Python package these are
// all files in its folder, because names can be imported from it that are files.
func (g *graph) imported(f *ir.File, module string) []string {
	if f.Language != ir.Python {
		if to, ok := g.module(path.Join(path.Dir(f.Path), module)); ok && strings.HasPrefix(module, ".") {
			return []string{g.files[to].Path}
		}
		return nil
	}
	rest := strings.TrimLeft(module, ".")
	folder := strings.ReplaceAll(rest, ".", "/")
	if rest == "" {
		folder = path.Dir(f.Path)
	}
	var out []string
	for _, to := range g.files {
		stem, dir := "/"+strings.TrimSuffix(to.Path, ".py"), "/"+path.Dir(to.Path)
		if to.Language == ir.Python && (strings.HasSuffix(stem, "/"+folder) || strings.HasSuffix(dir, "/"+folder)) {
			out = append(out, to.Path)
		}
	}
	return out
}
