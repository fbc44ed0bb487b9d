package rules

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// partial is a sequence that has begun and is not complete.
type partial struct {
	key   string
	began float64
	// at is the step it waits for, or the number of steps if it waits for the
	// end of the window.
	at    int
	steps []*event.Fields
	seqs  []int64
	gone  bool
	// last and group are the hit that is added when the window ends.
	last  sighting
	group *group
}

// keep adds a sequence that is not complete.
func (t *track) keep(p *partial, now float64) {
	ends := p.at == len(t.chain.Steps)
	joined := slices.DeleteFunc(t.open[p.key], func(o *partial) bool {
		if !t.chain.LooksBack && !ends && o.at == p.at {
			t.drop(o)
		}
		return o.gone
	})
	if len(joined) >= maxJoined {
		if ends && !t.chain.LooksBack { // it would repeat the finding of those
			t.open[p.key] = joined
			return
		}
		t.open[p.key] = joined
		t.giveUp(joined[0], now) // shortens the list in place
		joined = t.open[p.key]
	}
	t.open[p.key] = append(joined, p)
	t.order = append(t.order, p)
	t.size++
	for t.head < len(t.order) && t.order[t.head].gone {
		t.head++
	}
	if t.size > maxOpen {
		t.giveUp(t.order[t.head], now)
	}
	if len(t.order) > 2*maxOpen {
		t.order = slices.DeleteFunc(t.order, func(o *partial) bool { return o.gone })
		t.head = 0
	}
}

// giveUp drops a sequence because there are too many.
func (t *track) giveUp(p *partial, now float64) {
	if !t.late(p, now) {
		t.given++
	}
	t.forget(p)
}

func (t *track) drop(p *partial) {
	if !p.gone {
		p.gone = true
		t.size--
	}
}

// forget removes a sequence from those with the same key.
func (t *track) forget(p *partial) {
	t.drop(p)
	rest := slices.DeleteFunc(t.open[p.key], func(o *partial) bool { return o.gone })
	if t.open[p.key] = rest; len(rest) == 0 {
		delete(t.open, p.key)
	}
}

// late tells whether the window of a sequence has ended.
func (t *track) late(p *partial, now float64) bool {
	return t.chain.Within.Seconds > 0 && now-p.began > t.chain.Within.Seconds
}

// follow continues the sequences of a file under its new name.
func (t *track) follow(e *mcpsf.Event, box int) {
	from, to := t.key(e, box, e.File.Path), t.key(e, box, e.File.To)
	for _, p := range slices.Clone(t.open[from]) {
		if p.gone || from == to {
			continue
		}
		q := *p
		q.key = to
		if e.Kind == mcpsf.KindFileRename {
			t.forget(p)
		}
		t.keep(&q, e.T)
	}
}
