package canary

import (
	"slices"
	"strings"
)

const (
	// maxRefs is how many messages a hit names.
	// no gap: the leak is reported
	maxRefs = 1 << 12
	// maxGathered bounds the number of readings that are kept for all marks
	// together.
	// gap: pieces-not-joined
	maxGathered = 1 << 12
	// leastPiece is the minimum weight of a piece.
	leastPiece = 8
)

// Gather recognises marks that leave in pieces, each in its own message: in any
// order, some lost, some twice. Feed it the messages to one destination. It
// keeps at most 4096 readings, each with one bit per byte of its mark and up to
// 4096 references: 40 MB at worst, usually a few kB.
type Gather struct {
	set  *Set
	read map[gatherKey]*reading
	// told is how much of a mark was reported, so that the rest is reported
	// once.
	told map[int]int
	// full says that pieces of the last message were left out.
	full bool
}

type gatherKey struct {
	mark  int
	chain string
}

// Gather begins a gather.
func (s *Set) Gather() *Gather {
	return &Gather{set: s, read: map[gatherKey]*reading{}, told: map[int]int{}}
}

// Add takes the next message. A mark is reported when enough of it has arrived,
// whether in pieces or at once, and again when it is complete; ref identifies
// this message in the hit.
func (g *Gather) Add(message []byte, ref int64) []Hit {
	st := g.set.Stream(nil)
	st.scan.index = g.set.pieces()
	g.full = false
	touched := map[gatherKey]bool{}
	st.scan.report = func(p piece) {
		if key, ok := g.keep(&p, ref); ok {
			touched[key] = true
		}
	}
	st.WriteShort(message)
	st.Close()
	var hits []Hit
	for mark, r := range g.best(touched) {
		m := &g.set.marks[mark]
		if told := g.told[mark]; told == 0 || told < m.size && r.bytes == m.size {
			g.told[mark] = r.bytes
			hits = append(hits, g.hit(mark, r))
		}
	}
	return byMark(hits)
}

// Empty reports whether no piece of any mark has arrived.
func (g *Gather) Empty() bool { return len(g.read) == 0 }

// Full reports whether pieces of the last message were left out because there
// were too many before.
func (g *Gather) Full() bool { return g.full }

// Hits returns the marks of which enough has arrived so far.
func (g *Gather) Hits() []Hit {
	all := make(map[gatherKey]bool, len(g.read))
	for key := range g.read {
		all[key] = true
	}
	var hits []Hit
	for mark, r := range g.best(all) {
		hits = append(hits, g.hit(mark, r))
	}
	return byMark(hits)
}

// best returns the reading that proves most of each mark.
func (g *Gather) best(keys map[gatherKey]bool) map[int]*reading {
	best := map[int]*reading{}
	for key := range keys {
		r := g.read[key]
		if b := best[key.mark]; r.proves(&g.set.marks[key.mark]) && (b == nil || better(r, b)) {
			best[key.mark] = r
		}
	}
	return best
}

func (g *Gather) hit(mark int, r *reading) Hit {
	h := r.hit(&g.set.marks[mark])
	h.Refs = slices.Clone(r.refs)
	return h
}

func byMark(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int { return strings.Compare(a.Mark, b.Mark) })
	return hits
}

// keep adds a piece to the readings if it is unlikely to be chance.
func (g *Gather) keep(p *piece, ref int64) (gatherKey, bool) {
	m := &g.set.marks[p.mark]
	key := gatherKey{p.mark, strings.Join(p.chain, " ")}
	if p.hi-p.lo < minValue-1 || m.isFewNumbers(p.lo, p.hi) || m.weight(p.lo, p.hi) < min(leastPiece, m.need) {
		return key, false
	}
	r := g.read[key]
	if r == nil {
		if len(g.read) >= maxGathered {
			g.full = true
			return key, false
		}
		r = &reading{key: key.chain, chain: p.chain, excerpt: p.excerpt, at: p.lo}
		g.read[key] = r
	}
	r.from, r.to = p.from, p.to
	before := r.bytes
	r.cover(p.lo, p.hi, p.vague, m)
	if r.bytes > before && len(r.refs) < maxRefs && (len(r.refs) == 0 || r.refs[len(r.refs)-1] != ref) {
		r.refs = append(r.refs, ref)
	}
	return key, true
}
