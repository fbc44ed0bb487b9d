package report

import (
	"cmp"
	"slices"

	"github.com/mcpsf/mcpsf"
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
	// evidence says a finding rests on one of the rows.
	evidence bool
	// request is the event that began the call, if it was seen.
	request *mcpsf.MCPDetail

	kinds map[mcpsf.Kind]int
}

// row is one event worth a line.
type row struct {
	event *mcpsf.Event
	// severity is that of the gravest finding it proves, "" if none.
	severity mcpsf.Severity
	// count is how many observations look the same.
	count int64
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
	proved := proofs(findings)
	for i := range events {
		e := &events[i]
		k := key{phase: e.Phase}
		if e.Call != "" {
			k = key{call: e.Call} // late work stays with its call
		}
		g, ok := index[k]
		if !ok {
			g = &group{phase: e.Phase, call: e.Call, kinds: make(map[mcpsf.Kind]int)}
			index[k] = g
			all = append(all, g)
		}
		g.add(e, proved[e.Seq])
	}
	return all
}

// proofs maps event numbers to the gravest finding that names them.
func proofs(findings []mcpsf.Finding) map[int64]mcpsf.Severity {
	proved := make(map[int64]mcpsf.Severity)
	for _, f := range findings {
		severity := cmp.Or(f.Severity, mcpsf.SeverityInfo)
		for _, seq := range f.Evidence {
			if old, ok := proved[seq]; !ok || severityRank(severity) > severityRank(old) {
				proved[seq] = severity
			}
		}
	}
	return proved
}

func (g *group) add(e *mcpsf.Event, severity mcpsf.Severity) {
	count := max(e.Count, 1)
	g.total += count
	if g.call != "" && g.request == nil && e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer {
		g.request = e.MCP
	}
	if severity != "" {
		g.evidence = true
		if len(g.rows) >= maxProofs {
			g.fold("more piece{s} of evidence", count)
			return
		}
		g.rows = append(g.rows, row{event: e, severity: severity, count: count})
		return
	}
	if what := quiet(e, g.call); what != "" {
		g.fold(what, count)
		return
	}
	if n := len(g.rows); n > 0 && alike(g.rows[n-1], e) {
		g.rows[n-1].count += count
		return
	}
	if g.kinds[e.Kind] >= maxPerKind || len(g.rows) >= maxRows {
		g.fold("more "+string(e.Kind), count)
		return
	}
	g.kinds[e.Kind]++
	g.rows = append(g.rows, row{event: e, count: count})
}

func (g *group) fold(what string, count int64) {
	i := slices.IndexFunc(g.folded, func(t tally) bool { return t.what == what })
	if i < 0 {
		g.folded = append(g.folded, tally{what: what})
		i = len(g.folded) - 1
	}
	g.folded[i].count += count
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
