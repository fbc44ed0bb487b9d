package attackplan

import (
	"cmp"
	"slices"
)

// ranked is a call and how promising it is.
type ranked struct {
	call AttackCall
	rank int
	// text is set if the payload stands for a whole text that holds JSON otherwise.
	text bool
}

// choice are the calls to choose from: with a payload as a value of the arguments, and
// with one inside a text.
type choice struct{ list, inside []ranked }

// add adds calls. It keeps the best only: a server may have any number of tools, and
// payloads are long.
func (c *choice) add(a *Plan, list, inside []ranked) {
	if c.list = append(c.list, list...); len(c.list) > 2*a.Most {
		c.list = a.best(c.list)
	}
	if c.inside = append(c.inside, inside...); len(c.inside) > 2*a.Most {
		c.inside = a.best(c.inside)
	}
}

// best returns the calls to make. Those inside texts take the room that those with
// whole texts would have had, and what is free: no other argument has fewer because
// of them.
func (c *choice) best(a *Plan) []ranked {
	var kept, more []ranked
	for _, r := range a.best(c.list) {
		if r.text {
			r.rank = r.rank * shareText / 100
			more = append(more, r)
		} else {
			kept = append(kept, r)
		}
	}
	more = a.best(append(more, c.inside...))
	return a.best(append(kept, more[:min(len(more), a.Most-len(kept))]...))
}

// best returns the most promising calls, at most Most.
func (a *Plan) best(list []ranked) []ranked {
	slices.SortStableFunc(list, func(x, y ranked) int { return cmp.Compare(y.rank, x.rank) })
	best := list[:min(len(list), a.Most)]
	clear(list[len(best):])
	return best
}
