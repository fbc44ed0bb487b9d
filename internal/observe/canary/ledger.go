package canary

import (
	"cmp"
	"slices"
	"strings"
)

// maxReadings is how many readings of the same place are compared.
// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const maxReadings = 32

// wholeShare is the factor for bytes found under an unknown key. It suffices if
// the whole mark is there.
const wholeShare = 0.7

// ledger combines pieces into hits. Pieces of a mark that are close together
// are one leak, which can often be read in several ways: for example the plain
// pieces between escapes, and the whole with the escapes decoded.
type ledger struct {
	marks []mark
	open  map[int][]*leak
	// done has the places where leaks of a mark were reported.
	done map[int][]place
	hits []Hit
}

// leak is the recognised part of a mark in one place.
type leak struct {
	place
	whole    bool // all of the mark is there
	readings []*reading
}

type place struct{ from, to int64 }

// reading is one interpretation of a leak.
type reading struct {
	key      string
	chain    []string
	from, to int64
	excerpt  string
	at       int // where the excerpt begins in the value
	covered  []uint64
	weight   float32
	bytes    int
	vague    bool
	refs     []int64
}

// add finds the place that a piece belongs to. All pieces within reach become
// one place, in whatever order they came.
func (l *ledger) add(p piece) {
	if l.marks[p.mark].isFewNumbers(p.lo, p.hi) {
		return
	}
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

// ripen reports the complete leaks a certain distance before a position: any
// simpler reading would be known by then.
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

// near reports whether two places are one: they overlap, or both have pieces in
// the same encoding, not far apart.
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

// join merges another place into this one.
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

// cover counts the newly recognised bytes.
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

// judge reports a leak in its best reading, if it proves enough.
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

// better reports whether a is a more likely reading than b: it explains more,
// or the same more simply.
func better(a, b *reading) bool {
	return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(len(a.chain), len(b.chain)), strings.Compare(a.key, b.key)) < 0
}

// proves reports whether the recognised bytes are enough.
func (r *reading) proves(m *mark) bool {
	if r.bytes == m.size {
		return r.weight >= m.need*wholeShare
	}
	// One byte fewer is accepted: the ends of a value are incomplete in base64.
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
