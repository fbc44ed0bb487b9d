package rules

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds on what one rule remembers, so that a server that does a million
// different bad things gets a long report and not an endless one.
const (
	maxGroups   = 50
	maxEvidence = 10
	maxDistinct = 1000
	// maxVia is how much of the way to a leak is told with it.
	maxVia = 3
)

// hits are the hits of one rule, by group.
type hits struct {
	groups map[string]*group
	order  []*group
}

// group becomes one finding.
type group struct {
	key string
	// first describes the first hit; why and hostWhy are what explains its
	// subject and its host, or that nothing does; access is what it used.
	first      fields
	why        explanation
	hostWhy    hostReason
	access     *mcpsf.Explanation
	firstPhase mcpsf.Phase
	// call is the shortest request that led here; unasked is set if none was
	// needed.
	call        *call
	unasked     bool
	evidence    []int64
	occurrences int
	// distinct are the values counted, if the rule counts them.
	distinct map[string]bool
	// others is set on the last group, which takes in all further ones.
	others bool
}

func (h *hits) add(r *rule, e *mcpsf.Event, f *fields, run *run) {
	g := h.group(r, e, f, run)
	g.occurrences += int(max(1, min(e.Count, 1<<31)))
	g.ledBy(run.calls[f.Call], run.inCall(f), r.count.Min > 1)
	if r.count.Distinct == "" {
		g.prove(e.Seq)
		if e.Leak != nil {
			for _, seq := range e.Leak.Via[:min(len(e.Leak.Via), maxVia)] {
				g.prove(seq)
			}
		}
		return
	}
	value := f.group(r.count.Distinct)
	if r.count.Distinct != "endpoint" { // whose numbers are what is counted
		value = stable(value)
	}
	if !g.distinct[value] && len(g.distinct) < maxDistinct {
		g.distinct[value] = true
		g.prove(e.Seq)
	}
}

// group finds the group of a hit or opens it.
func (h *hits) group(r *rule, e *mcpsf.Event, f *fields, run *run) *group {
	key := groupKey(r.group, f)
	if g := h.groups[key]; g != nil {
		return g
	}
	if n := len(h.order); n >= maxGroups {
		h.order[n-1].others = true
		return h.order[n-1]
	}
	g := &group{key: key, first: *f, firstPhase: phaseOf(e), distinct: map[string]bool{}}
	g.first.Args = slices.Clone(f.Args)
	g.why, g.hostWhy = run.explain(f), run.explainHost(f, f.Host)
	if kind := accessOf(e); kind != "" {
		why := run.explainAccess(f, kind)
		g.access = &why
	} else if e.Canary != nil || e.Leak != nil {
		g.access = &mcpsf.Explanation{By: g.why.By, Reason: g.why.Reason}
	}
	if h.groups == nil {
		h.groups = map[string]*group{}
	}
	h.groups[key] = g
	h.order = append(h.order, g)
	return g
}

func groupKey(names []string, f *fields) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(stable(f.group(name)))
		b.WriteByte(0)
	}
	return b.String()
}

// ledBy keeps the shortest way that led here: no call at all, else the
// shortest request that anybody would make, else the shortest. If many hits make one finding the first request is kept,
// which the finding names: the shortest may have led to one hit only.
func (g *group) ledBy(c *call, inCall, many bool) {
	g.unasked = g.unasked || !inCall
	if c != nil && (g.call == nil || !many && c.easierThan(g.call)) {
		g.call = c
	}
}

func (c *call) easierThan(other *call) bool {
	if (c.attack == nil) != (other.attack == nil) {
		return c.attack == nil
	}
	return len(c.params) < len(other.params)
}

func (g *group) prove(seq int64) {
	if len(g.evidence) < maxEvidence && !slices.Contains(g.evidence, seq) {
		g.evidence = append(g.evidence, seq)
	}
}

// number is what the rule's count is compared with.
func (g *group) number(c count) int {
	if c.Distinct != "" {
		return len(g.distinct)
	}
	return g.occurrences
}

// phaseOf is the phase that a finding is told under. Whether work for a call
// began just before its answer or just after differs from run to run; the
// events say which it was.
func phaseOf(e *mcpsf.Event) mcpsf.Phase {
	if e.Phase == mcpsf.PhaseIdle && e.Call != "" {
		return mcpsf.PhaseDrive
	}
	return e.Phase
}
