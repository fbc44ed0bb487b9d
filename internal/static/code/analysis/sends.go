package analysis

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// sends finds exfiltration: credential files, or the whole environment, sent to
// the network.
func sends(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for at := range p.calls() {
		c := at.call
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
		out = append(out, p.factAt(at, c.Line, c.Name, what))
	}
	return out
}
