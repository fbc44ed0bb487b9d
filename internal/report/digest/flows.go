package digest

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// Flows returns the graph of a server that alone combines untrusted input,
// private data and a way out; nil for any other server. Roles that are only
// declared do not count here.
func Flows(r *mcpsf.Report) *flows.Graph {
	if g := flows.Of(r); g.Worst().Reaches(flows.Seen) {
		return g
	}
	return nil
}
