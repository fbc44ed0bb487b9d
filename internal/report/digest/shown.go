package digest

import (
	"github.com/mcpsf/mcpsf"
)

// How many groups without a proof are shown: those with rows, and those in which
// nothing stood out.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxLoud  = 30
	maxQuiet = 12
)

// Calls returns the calls by their ids.
func Calls(r *mcpsf.Report) map[string]*mcpsf.Call {
	calls := make(map[string]*mcpsf.Call, len(r.Session.Calls))
	for i := range r.Session.Calls {
		calls[r.Session.Calls[i].ID] = &r.Session.Calls[i]
	}
	return calls
}

// ShownRuns chooses the groups that are shown, similar ones together, and counts
// the others.
func ShownRuns(all []*Group, calls map[string]*mcpsf.Call) (runs [][]*Group, hidden int) {
	seen := &shown{findings: map[int]bool{}, calls: map[string]bool{}}
	for len(all) > 0 {
		n := alikeCalls(all, calls)
		if seen.worth(all[0]) {
			runs = append(runs, all[:n])
		} else {
			hidden += n
		}
		all = all[n:]
	}
	return runs, hidden
}

// shown records what the timeline shows so far.
type shown struct {
	// findings are those whose proof was shown.
	findings map[int]bool
	// calls are the methods and tools that were shown.
	calls       map[string]bool
	loud, still int
}

// worth tells whether a group is shown: it proves a finding that was not proved
// above, or it is one of the first groups and no such call was shown. Failed
// attacks, of which there are many, are not shown.
func (s *shown) worth(g *Group) bool {
	before := len(s.findings)
	for finding := range g.proves {
		s.findings[finding] = true
	}
	again := false
	if g.request != nil {
		name := g.request.Method + " " + g.request.Tool
		again = g.request.Attack != nil || s.calls[name]
		s.calls[name] = s.calls[name] || g.request.Attack == nil
	}
	switch {
	case len(s.findings) > before:
		return true
	case again:
		return false
	case len(g.Rows) == 0:
		s.still++
		return s.still <= maxQuiet
	}
	s.loud++
	return s.loud <= maxLoud
}
