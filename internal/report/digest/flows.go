package digest

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// Flows is the graph of a server that brings untrusted input, private data and
// a way out together by itself; nil of any other. What it only says of itself
// does not count here.
func Flows(r *mcpsf.Report) *flows.Graph {
	if g := flows.Of(r); g.Worst().Reaches(flows.Seen) {
		return g
	}
	return nil
}
