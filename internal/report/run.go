package report

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// minRun is how many calls of one kind in a row become one line.
const minRun = 3

// alikeCalls returns how many groups at the beginning of all are calls of the
// same method in which nothing stood out, if that is a run, and otherwise 1.
// Calls of tools are told apart: each is code of its own.
func alikeCalls(all []*group, calls map[string]*mcpsf.Call) int {
	method, _ := all[0].asked(calls[all[0].call])
	n := 0
	for n < len(all) && all[n].call != "" && len(all[n].proves) == 0 && len(all[n].rows) == 0 {
		call := calls[all[n].call]
		m, tool := all[n].asked(call)
		if !asPlanned(call) || m != method || tool != "" || m == "tools/call" || m == "" {
			break
		}
		n++
	}
	if n < minRun {
		return 1
	}
	return n
}

// run writes a run of calls on one line.
func (p *page) run(all []*group, calls map[string]*mcpsf.Call) {
	first, last := all[0], all[len(all)-1]
	method, _ := first.asked(calls[first.call])
	var ended []tally
	for _, g := range all {
		if call := calls[g.call]; call != nil {
			ended = tallied(ended, string(call.Status), 1)
		}
	}
	var words []string
	for _, t := range ended {
		words = append(words, fmt.Sprintf("%d %s", t.count, t.what))
	}
	title := []span{
		dim(first.call + p.dash + last.call + " "), strong(method),
		text(fmt.Sprintf(" %s%d", p.times, len(all))),
	}
	right := []span{dim(strings.Join(words, ", "))}
	if noted := append([]span{dim("nothing noteworthy  ")}, right...); p.fits(title, noted) {
		right = noted
	}
	p.between(title, right)
}

// asPlanned reports whether a call ended in a way that needs no attention.
func asPlanned(call *mcpsf.Call) bool {
	return call == nil || call.Status == mcpsf.CallOK || call.Status == mcpsf.CallRefused
}

// asked returns what the group's call was for.
func (g *group) asked(call *mcpsf.Call) (method, tool string) {
	switch {
	case call != nil:
		return call.Method, call.Tool
	case g.request != nil:
		return g.request.Method, g.request.Tool
	}
	return "", ""
}
