package analysis

import (
	"iter"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// site is a call and its position: index is the index of its file.
type site struct {
	index int
	file  *ir.File
	call  *ir.Call
}

// calls yields the calls of all files except tests and examples.
func (p *Package) calls() iter.Seq[site] {
	return func(yield func(site) bool) {
		for i, f := range p.Files {
			if beside(f.Path) {
				continue
			}
			for k := range f.Calls {
				if !yield(site{i, f, &f.Calls[k]}) {
					return
				}
			}
		}
	}
}

// texts yields the strings of all files except tests and examples.
func (p *Package) texts() iter.Seq2[*ir.File, *ir.Text] {
	return func(yield func(*ir.File, *ir.Text) bool) {
		for _, f := range p.Files {
			if beside(f.Path) {
				continue
			}
			for k := range f.Texts {
				if !yield(f, &f.Texts[k]) {
					return
				}
			}
		}
	}
}

// factAt makes a fact about a call, with the tools that lead to it.
func (p *Package) factAt(at site, line int, name, text string) mcpsf.Fact {
	out := fact(at.file, line, name, text)
	if tools := p.graph.toolsAt(at.index, at.call.Func, at.call.Conds); len(tools) > 0 {
		out.Tool = tools[0]
	}
	return out
}
