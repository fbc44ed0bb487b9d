package digest

import (
	"github.com/mcpsf/mcpsf"
)

// Index finds events by their number.
func Index(events []mcpsf.Event) map[int64]*mcpsf.Event {
	all := make(map[int64]*mcpsf.Event, len(events))
	for i := range events {
		all[events[i].Seq] = &events[i]
	}
	return all
}

// Taxonomies lists the ids in public taxonomies.
func Taxonomies(m mcpsf.Maps) []string {
	var all []string
	for _, list := range [][]string{m.OWASPMCP, m.CWE, m.ATTACK, m.ATLAS, m.SAFEMCP} {
		all = append(all, list...)
	}
	return all
}
