package digest

import (
	"cmp"
	"math"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// Bounds of one group of the timeline. A target can produce any number of
// events; the reader has one or two screens.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxRows    = 24
	maxPerKind = 6
	maxProofs  = 60
)

// Group is what one call caused, or what happened in one phase outside of calls.
type Group struct {
	Phase mcpsf.Phase
	Call  string
	Rows  []Row
	// Folded counts the events that are not shown, in order of first appearance.
	Folded []Tally
	// Total counts all observations of the group.
	Total int64
	// proves are the findings that one of the rows proves, by index in the
	// report.
	proves map[int]bool
	// request is the request of the call, if it was recorded.
	request *mcpsf.MCPDetail

	kinds map[mcpsf.Kind]int
}

// Row is one event that is shown.
type Row struct {
	Event *mcpsf.Event
	// Severity is that of the most severe finding it proves, "" if none.
	Severity mcpsf.Severity
	// Count is how many observations look the same.
	Count int64
	// Timeless hides a time that would be out of order on the page.
	Timeless bool
}

// Tally counts events that are not shown individually.
type Tally struct {
	What  string
	Count int64
}

// Groups sorts events into groups, in order of first appearance.
func Groups(events []mcpsf.Event, findings []mcpsf.Finding) []*Group {
	type key struct {
		phase mcpsf.Phase
		call  string
	}
	var all []*Group
	index := make(map[key]*Group)
	proved, timeless := Proofs(findings), timeless(events)
	for i := range events {
		e := &events[i]
		k := key{phase: e.Phase}
		if e.Call != "" && e.Kind != mcpsf.KindSandboxStop {
			k = key{call: e.Call} // late work stays with its call
		}
		g, ok := index[k]
		if !ok {
			g = &Group{Phase: k.phase, Call: k.call, proves: make(map[int]bool), kinds: make(map[mcpsf.Kind]int)}
			index[k] = g
			all = append(all, g)
		}
		proof := proved[e.Seq]
		for _, finding := range proof.findings {
			g.proves[finding] = true
		}
		g.add(Row{Event: e, Severity: proof.severity, Count: max(e.Count, 1), Timeless: timeless[i]})
	}
	return all
}

// timeless marks events whose time is out of order: an event that stands for
// many has the time of the last.
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

// proof says which findings an event proves, by index in the report, and the
// highest severity among them.
type proof struct {
	findings []int
	severity mcpsf.Severity
}

// Proofs maps event numbers to the findings that name them.
func Proofs(findings []mcpsf.Finding) map[int64]proof {
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

func (g *Group) add(r Row) {
	e := r.Event
	g.Total += r.Count
	if g.Call != "" && g.request == nil && e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer {
		g.request = e.MCP
	}
	if r.Severity != "" {
		if len(g.Rows) >= maxProofs {
			g.fold("more piece{s} of evidence", r.Count)
			return
		}
		g.Rows = append(g.Rows, r)
		return
	}
	if what := Quiet(e, g.Call); what != "" {
		g.fold(what, r.Count)
		return
	}
	if n := len(g.Rows); n > 0 && alike(g.Rows[n-1], e) {
		g.Rows[n-1].Count += r.Count
		return
	}
	if g.kinds[e.Kind] >= maxPerKind || len(g.Rows) >= maxRows {
		g.fold(more(e.Kind), r.Count)
		return
	}
	g.kinds[e.Kind]++
	g.Rows = append(g.Rows, r)
}

func (g *Group) fold(what string, count int64) {
	g.Folded = Tallied(g.Folded, what, count)
}

// Tallied adds a count to the entry of that name in a list.
func Tallied(list []Tally, what string, count int64) []Tally {
	i := slices.IndexFunc(list, func(t Tally) bool { return t.What == what })
	if i < 0 {
		list = append(list, Tally{What: what})
		i = len(list) - 1
	}
	list[i].Count += count
	return list
}

// alike reports whether e would print like the row before it.
func alike(r Row, e *mcpsf.Event) bool {
	if r.Severity != "" || r.Event.Kind != e.Kind || r.Event.PID != e.PID {
		return false
	}
	_, before := phrase.Event(r.Event)
	_, now := phrase.Event(e)
	return before == now
}
