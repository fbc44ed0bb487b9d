package leak

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/observe/canary"
)

// maxGathers bounds the destinations for which pieces are reassembled. Only
// those that received a piece count; the one that was used longest ago is given
// up.
// gap: pieces-not-joined
const maxGathers = 512

// pieces reassembles secrets that leave in pieces, for each destination.
type pieces struct {
	set     *canary.Set
	gathers map[string]*canary.Gather
	// order has the keys, the one that was used longest ago first.
	order []string
	// givenUp counts the destinations some of whose pieces were forgotten.
	givenUp int64
}

// add joins a message with the earlier ones for the same destination.
func (p *pieces) add(key string, body []byte, ref int64) []canary.Hit {
	g := p.gathers[key]
	if g == nil {
		g = p.set.Gather()
	}
	hits := g.Add(body, ref)
	if g.Full() {
		p.givenUp++
	}
	if !g.Empty() {
		p.use(key, g)
	}
	return hits
}

// use keeps a gather as the one that was used last.
func (p *pieces) use(key string, g *canary.Gather) {
	if p.gathers[key] != nil {
		at := slices.Index(p.order, key)
		p.order = append(slices.Delete(p.order, at, at+1), key)
		return
	}
	if len(p.order) >= maxGathers {
		delete(p.gathers, p.order[0])
		p.order = slices.Delete(p.order, 0, 1)
		p.givenUp++
	}
	p.gathers[key] = g
	p.order = append(p.order, key)
}
