package terminal

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
)

// run writes a run of similar calls on one line.
func (p timelinePart) run(all []*digest.Group, calls map[string]*mcpsf.Call) {
	first, last := all[0], all[len(all)-1]
	method, _ := first.Asked(calls[first.Call])
	var ended []digest.Tally
	for _, g := range all {
		if call := calls[g.Call]; call != nil {
			ended = digest.Tallied(ended, string(call.Status), 1)
		}
	}
	var words []string
	for _, t := range ended {
		words = append(words, fmt.Sprintf("%d %s", t.Count, t.What))
	}
	title := []span{
		dim(first.Call + p.dash + last.Call + " "), strong(method),
		text(fmt.Sprintf(" %s%d", p.times, len(all))),
	}
	right := []span{dim(strings.Join(words, ", "))}
	if noted := append([]span{dim("nothing noteworthy  ")}, right...); p.fits(title, noted) {
		right = noted
	}
	p.between(title, right)
}
