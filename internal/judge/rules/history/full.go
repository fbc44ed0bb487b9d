package history

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Full returns the bound of a table that the run has filled, 0 if none is full.
// What came later is not compared with what came before.
func (r *Run) Full() int {
	t := r.Traffic
	if t.dropped > 0 {
		return t.dropped
	}
	for _, table := range []struct{ has, most int }{
		{len(t.names), lex.MaxListed}, {len(t.Sent), maxSent}, {len(t.Carried), maxSent},
		{len(t.Hosts), hostname.MaxHosts}, {len(t.beacons), maxBeacons}, {len(t.tunnels), maxTunnels},
		{len(r.Repeated.first), lex.MaxListed},
	} {
		if table.has >= table.most {
			return table.most
		}
	}
	return 0
}
