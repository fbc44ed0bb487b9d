package analysis

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// sends finds exfiltration: credential files, or the whole environment, sent to
// the network.
func sends(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for i, f := range p.Files {
		if beside(f.Path) {
			continue
		}
		for k := range f.Calls {
			c := &f.Calls[k]
			if capabilityOf(c) != mcpsf.CapabilityNetwork {
				continue
			}
			what := ""
			switch {
			case marked(c, ir.MarkSecret) || c.On&ir.MarkSecret != 0:
				what = "a credential that was read from its place"
			case marked(c, ir.MarkWhole):
				what = "the whole environment"
			}
			if what == "" {
				continue
			}
			fact := fact(f, c.Line, c.Name, what)
			if tools := p.graph.toolsAt(i, c.Func, c.Conds); len(tools) > 0 {
				fact.Tool = tools[0]
			}
			out = append(out, fact)
		}
	}
	return out
}
