package canary

import (
	"cmp"
	"slices"
	"strings"
)

// maxReadings is how many ways of reading the same place are weighed against
// each other.
const maxReadings = 32

// wholeShare is what bytes are worth that were found under an unknown key. It
// is enough if all of a mark is there.
const wholeShare = 0.7

// ledger makes hits of pieces. Pieces of a mark that are near each other are
// one leak, which can often be read in several ways: the plain pieces between
// the escapes, for example, and the whole with the escapes decoded.
type ledger struct {
	marks []mark
	open  map[int][]*leak
	// done is where leaks of a mark were reported.
	done map[int][]place
	hits []Hit
}

// leak is what was recognised in one place.
type leak struct {
	place
	whole    bool // all of the mark is there
	readings []*reading
}

type place struct{ from, to int64 }

// reading is one way to see it.
type reading struct {
	key      string
	chain    []string
	from, to int64
	excerpt  string
	at       int // where in the value the excerpt begins
	covered  []uint64
	weight   float32
	bytes    int
	vague    bool
	refs     []int64
}

// add finds the place a piece belongs to. All that is within reach becomes
// one place, whatever the order in which it came.
func (l *ledger) add(p piece) {
	for _, d := range l.done[p.mark] {
		if p.from < d.to && d.from < p.to {
			return
		}
	}
	if l.open == nil {
		l.open, l.done = map[int][]*leak{}, map[int][]place{}
	}
	m := &l.marks[p.mark]
	k := &leak{place: place{p.from, p.to}}
	r := &reading{key: strings.Join(p.chain, " "), chain: p.chain, from: p.from, to: p.to, excerpt: p.excerpt, at: p.lo}
	r.cover(p.lo, p.hi, p.vague, m)
	k.readings = []*reading{r}
	kept := l.open[p.mark][:0]
	for _, other := range l.open[p.mark] {
		if other.near(k) {
			k = other.join(k, m)
		} else {
			kept = append(kept, other)
		}
	}
	l.open[p.mark] = kept
	for _, r := range k.readings {
		k.whole = k.whole || r.bytes == m.size
		if r.bytes == m.size && len(r.chain) <= 1 {
			l.judge(k, p.mark) // it cannot grow, nor be read more simply
			return
		}
	}
	l.open[p.mark] = append(kept, k)
}

// ripen reports the leaks of which all was there a while before a position:
// had there been a simpler way to read them, it would be known.
func (l *ledger) ripen(at int64) {
	for mark, list := range l.open {
		kept := list[:0]
		for _, k := range list {
			if k.whole && k.to+ripe <= at {
				l.judge(k, mark)
			} else {
				kept = append(kept, k)
			}
		}
		l.open[mark] = kept
	}
}

// near reports whether two places are one: they overlap, or something that can
// be read in the same way is in both, not far apart.
func (k *leak) near(other *leak) bool {
	if k.from < other.to && other.from < k.to {
		return true
	}
	if k.whole || other.whole {
		return false
	}
	for _, a := range k.readings {
		for _, b := range other.readings {
			if a.key == b.key && a.from <= b.to+apart && b.from <= a.to+apart {
				return true
			}
		}
	}
	return false
}

// join adds another place to this one.
func (k *leak) join(other *leak, m *mark) *leak {
	k.from, k.to = min(k.from, other.from), max(k.to, other.to)
	k.whole = k.whole || other.whole
	for _, r := range other.readings {
		i := slices.IndexFunc(k.readings, func(have *reading) bool { return have.key == r.key })
		switch {
		case i >= 0:
			k.readings[i].join(r, m)
		case len(k.readings) < maxReadings:
			k.readings = append(k.readings, r)
		}
	}
	return k
}

func (r *reading) join(other *reading, m *mark) {
	r.from, r.to = min(r.from, other.from), max(r.to, other.to)
	if other.at < r.at || other.at == r.at && len(other.excerpt) > len(r.excerpt) {
		r.at, r.excerpt = other.at, other.excerpt
	}
	for i := range m.size {
		if other.covered[i>>6]>>(i&63)&1 != 0 {
			r.cover(i, i+1, other.vague, m)
		}
	}
}

// cover counts the bytes that were not recognised before.
func (r *reading) cover(lo, hi int, vague bool, m *mark) {
	if r.covered == nil {
		r.covered = make([]uint64, (m.size+63)/64)
	}
	share := float32(1)
	if r.vague = vague; vague {
		share = wholeShare
	}
	for i := lo; i < hi; i++ {
		if r.covered[i>>6]>>(i&63)&1 == 0 {
			r.covered[i>>6] |= 1 << (i & 63)
			r.weight += share * (m.sum[i+1] - m.sum[i])
			r.bytes++
		}
	}
}

// settle reports the leaks that ended before a position.
func (l *ledger) settle(before int64) {
	for mark, list := range l.open {
		kept := list[:0]
		for _, k := range list {
			if k.to < before {
				l.judge(k, mark)
			} else {
				kept = append(kept, k)
			}
		}
		l.open[mark] = kept
	}
	for mark, list := range l.done {
		l.done[mark] = slices.DeleteFunc(list, func(p place) bool { return p.to < before })
	}
}

// judge reports a leak as what it is read best, if it is one.
func (l *ledger) judge(k *leak, mark int) {
	m := &l.marks[mark]
	best := k.readings[0]
	for _, r := range k.readings[1:] {
		if better(r, best) {
			best = r
		}
	}
	if !best.proves(m) {
		return
	}
	l.done[mark] = append(l.done[mark], place{k.from, k.to})
	l.hits = append(l.hits, best.hit(m))
}

// better reports whether a is more likely what was done than b: it explains
// more, or as much more simply.
func better(a, b *reading) bool {
	return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(len(a.chain), len(b.chain)), strings.Compare(a.key, b.key)) < 0
}

// proves reports whether what was recognised is enough.
func (r *reading) proves(m *mark) bool {
	if r.bytes == m.size {
		return r.weight >= m.need*wholeShare
	}
	// A few bytes too few: the ends of a value are not whole in base64.
	return r.weight >= m.need && r.bytes >= minValue-1
}

func (r *reading) hit(m *mark) Hit {
	return Hit{Mark: m.id, Chain: r.chain, From: r.from, To: r.to, Share: float64(r.bytes) / float64(m.length), Excerpt: r.excerpt, Refs: r.refs}
}

// take returns the hits in the order of the stream.
func (l *ledger) take() []Hit {
	hits := l.hits
	l.hits = nil
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), strings.Compare(a.Mark, b.Mark))
	})
	return hits
}
