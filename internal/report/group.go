package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
)

// The bounds of what one group of the timeline shows. A target can produce
// any number of events; the reader has one screen or two.
const (
	maxRows    = 24
	maxPerKind = 6
	maxProofs  = 60
)

// group is what one call caused, or what one phase did outside calls.
type group struct {
	phase mcpsf.Phase
	call  string
	rows  []row
	// folded counts what is not shown, in order of first appearance.
	folded []tally
	// total counts all observations of the group.
	total int64
	// proves are the findings that rest on one of the rows, by their place in the
	// report.
	proves map[int]bool
	// request is the event that began the call, if it was seen.
	request *mcpsf.MCPDetail

	kinds map[mcpsf.Kind]int
}

// row is one event worth a line.
type row struct {
	event *mcpsf.Event
	// severity is that of the most severe finding it proves, "" if none.
	severity mcpsf.Severity
	// count is how many observations look the same.
	count int64
	// timeless leaves out a time that would run backwards on the page.
	timeless bool
}

type tally struct {
	what  string
	count int64
}

// groups sorts events into groups, in order of first appearance.
func groups(events []mcpsf.Event, findings []mcpsf.Finding) []*group {
	type key struct {
		phase mcpsf.Phase
		call  string
	}
	var all []*group
	index := make(map[key]*group)
	proved, timeless := proofs(findings), timeless(events)
	for i := range events {
		e := &events[i]
		k := key{phase: e.Phase}
		if e.Call != "" && e.Kind != mcpsf.KindSandboxStop {
			k = key{call: e.Call} // late work stays with its call
		}
		g, ok := index[k]
		if !ok {
			g = &group{phase: k.phase, call: k.call, proves: make(map[int]bool), kinds: make(map[mcpsf.Kind]int)}
			index[k] = g
			all = append(all, g)
		}
		proof := proved[e.Seq]
		for _, finding := range proof.findings {
			g.proves[finding] = true
		}
		g.add(row{event: e, severity: proof.severity, count: max(e.Count, 1), timeless: timeless[i]})
	}
	return all
}

// timeless marks the events whose time is not that of their place in the
// order: one that stands for many carries the time of the last.
func timeless(events []mcpsf.Event) []bool {
	marks := make([]bool, len(events))
	next := math.Inf(1)
	for i, e := range slices.Backward(events) {
		if e.Count > 1 {
			marks[i] = e.T > next
		} else {
			next = min(next, e.T)
		}
	}
	last := math.Inf(-1)
	for i, e := range events {
		if !marks[i] {
			marks[i] = e.T < last
			last = max(last, e.T)
		}
	}
	return marks
}

// proof is what an event is evidence of: findings, by their place in the report,
// and the severity of the most severe.
type proof struct {
	findings []int
	severity mcpsf.Severity
}

// proofs maps event numbers to the findings that name them.
func proofs(findings []mcpsf.Finding) map[int64]proof {
	proved := make(map[int64]proof)
	for i, f := range findings {
		severity := cmp.Or(f.Severity, mcpsf.SeverityInfo)
		for _, seq := range f.Evidence {
			p := proved[seq]
			p.findings = append(p.findings, i)
			if p.severity == "" || summary.SeverityRank(severity) > summary.SeverityRank(p.severity) {
				p.severity = severity
			}
			proved[seq] = p
		}
	}
	return proved
}

func (g *group) add(r row) {
	e := r.event
	g.total += r.count
	if g.call != "" && g.request == nil && e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer {
		g.request = e.MCP
	}
	if r.severity != "" {
		if len(g.rows) >= maxProofs {
			g.fold("more piece{s} of evidence", r.count)
			return
		}
		g.rows = append(g.rows, r)
		return
	}
	if what := quiet(e, g.call); what != "" {
		g.fold(what, r.count)
		return
	}
	if n := len(g.rows); n > 0 && alike(g.rows[n-1], e) {
		g.rows[n-1].count += r.count
		return
	}
	if g.kinds[e.Kind] >= maxPerKind || len(g.rows) >= maxRows {
		g.fold(more(e.Kind), r.count)
		return
	}
	g.kinds[e.Kind]++
	g.rows = append(g.rows, r)
}

func (g *group) fold(what string, count int64) {
	g.folded = tallied(g.folded, what, count)
}

// tallied adds count of something to a list without doubles.
func tallied(list []tally, what string, count int64) []tally {
	i := slices.IndexFunc(list, func(t tally) bool { return t.what == what })
	if i < 0 {
		list = append(list, tally{what: what})
		i = len(list) - 1
	}
	list[i].count += count
	return list
}

// alike reports whether e would print as the row before it did.
func alike(r row, e *mcpsf.Event) bool {
	if r.severity != "" || r.event.Kind != e.Kind || r.event.PID != e.PID {
		return false
	}
	_, before := describe(r.event)
	_, now := describe(e)
	return before == now
}
