package rules

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/explain"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/message"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Bounds for one rule, so that a server that does a million different bad things
// gets a long report and not an endless one.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const (
	maxGroups   = 50
	maxEvidence = 10
	// maxVia is how many earlier events of a leak become evidence.
	maxVia = 3
	// maxAdvisories is how many advisories a finding names.
	maxAdvisories = 50
	maxAdvisoryID = 100
)

// hits are the hits of one rule, by group.
type hits struct {
	groups map[string]*group
	order  []*group
	// covers are the links by which the rule covers others; coveredBy are the
	// links by which others cover it.
	covers, coveredBy []*link
}

// group is a set of hits that becomes one finding.
type group struct {
	key string
	// first describes the first hit; steps are the earlier events of its
	// sequence. file and line are the place in the package if static is set. why
	// and hostWhy say what explains its subject and host, or that nothing does.
	// access says what explains the access.
	first      event.Fields
	steps      []*event.Fields
	file       string
	line       int
	purl       string
	advisories []string
	static     bool
	why        explain.Explanation
	hostWhy    declared.HostReason
	access     *mcpsf.Explanation
	firstPhase mcpsf.Phase
	// call is the shortest request that led to a hit; unasked is set if one
	// happened without a call.
	call        *history.Call
	unasked     bool
	evidence    []int64
	occurrences int
	// distinct are the different values, if the rule counts them; rate tells
	// whether hits came close enough in time.
	distinct map[string]bool
	rate     rate
	// others is set on the last group when it also takes the hits of further groups.
	others bool
	// same decides whether a finding of another rule covers this group.
	same compared
}

// sighting is one hit.
type sighting struct {
	event *mcpsf.Event // nil for a fact
	// via are earlier events that belong to the hit.
	via    []int64
	box    int
	key    string
	value  string // the value that the rule counts
	call   *history.Call
	inCall bool
	// purl and advisory are the package and advisory of a fact.
	purl, advisory string
	same           sameness
}

// sight describes a hit; e is nil for a fact.
func (h *hits) sight(r *rulefile.Compiled, e *mcpsf.Event, env *condition.Env) sighting {
	f, run := &env.Fields, env.Known.Run
	s := sighting{event: e, box: run.Box, key: groupKey(r.Group, f), call: run.Calls.ByID[f.Call], inCall: event.InCall(f), same: h.compare(env)}
	if e != nil && e.Leak != nil && r.Count.Distinct == "" {
		s.via = e.Leak.Via[:min(len(e.Leak.Via), maxVia)]
	}
	if f.ReadBy != 0 && (r.When.Names("Variable") || r.When.Names("SecretFile") || r.When.Names("All")) {
		s.via = append(s.via, f.ReadBy)
	}
	if r.Count.Distinct != "" {
		s.value = f.Group(r.Count.Distinct)
		if r.Count.Distinct != "endpoint" { // here the port counts, which Stable would remove
			s.value = lex.Stable(s.value)
		}
	}
	return s
}

// times returns how often the event happened.
func (s *sighting) times() int {
	if s.event == nil {
		return 1
	}
	return int(max(1, min(s.event.Count, 1<<31)))
}

// add adds a hit; open makes its group if it is the first of the group.
func (h *hits) add(r *rulefile.Compiled, s sighting, open func() *group) {
	g := h.group(s.key, open)
	g.occurrences += s.times()
	g.same.take(h, &s.same)
	g.ledBy(s.call, s.inCall, r.Count.Min > 1)
	switch {
	case s.event == nil:
		g.note(&s)
	case r.Count.Seconds > 0:
		if g.rate.take(r.Count, s) {
			g.evidence = g.rate.evidence()
		}
	case r.Count.Distinct == "" || !g.distinct[s.value] && len(g.distinct) < rulefile.MaxDistinct:
		g.prove(s.event.Seq)
		for _, seq := range s.via {
			g.prove(seq)
		}
	}
	if r.Count.Distinct != "" && len(g.distinct) < rulefile.MaxDistinct {
		g.distinct[s.value] = true
	}
}

// group returns the group of a hit, and opens it if it is new.
func (h *hits) group(key string, open func() *group) *group {
	if g := h.groups[key]; g != nil {
		return g
	}
	if n := len(h.order); n >= maxGroups {
		h.order[n-1].others = true
		return h.order[n-1]
	}
	g := open()
	if h.groups == nil {
		h.groups = map[string]*group{}
	}
	h.groups[key] = g
	h.order = append(h.order, g)
	return g
}

// newGroup describes the first hit of a group, with the knowledge at that time.
func newGroup(key string, e *mcpsf.Event, env *condition.Env) *group {
	f, x := &env.Fields, env.Known.Explainer
	g := &group{key: key, first: *f, firstPhase: phaseOf(e), distinct: map[string]bool{}}
	g.first.Args = slices.Clone(f.Args)
	g.why, g.hostWhy = x.Path(f), x.Host(f, f.Host)
	if kind := explain.AccessOf(e); kind != "" {
		why := x.Access(f, kind)
		g.access = &why
	} else if e.Canary != nil || e.Leak != nil {
		g.access = &mcpsf.Explanation{By: g.why.By, Reason: g.why.Reason}
	}
	return g
}

func groupKey(names []string, f *event.Fields) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(lex.Stable(f.Group(name)))
		b.WriteByte(0)
	}
	return b.String()
}

// ledBy keeps the shortest way to reproduce the finding: no call at all, else the shortest
// ordinary call, else the shortest attack call. If the rule needs many hits, the first call
// is kept, because the finding names it and the shortest may have caused one hit only.
func (g *group) ledBy(c *history.Call, inCall, many bool) {
	g.unasked = g.unasked || !inCall
	if c != nil && (g.call == nil || !many && c.EasierThan(g.call)) {
		g.call = c
	}
}

func (g *group) prove(seq int64) {
	if len(g.evidence) < maxEvidence && !slices.Contains(g.evidence, seq) {
		g.evidence = append(g.evidence, seq)
	}
}

// holds tells whether there are as many hits as the rule requires.
func (g *group) holds(c rulefile.Count) bool {
	n := g.occurrences
	switch {
	case c.Seconds > 0:
		return g.rate.reached
	case c.Distinct != "":
		n = len(g.distinct)
	}
	return n >= c.Min && (c.Max == 0 || n <= c.Max)
}

// phaseOf returns the phase of a finding. Work for a call that starts around the
// call's answer is idle in some runs and drive in others; the finding always
// says drive.
func phaseOf(e *mcpsf.Event) mcpsf.Phase {
	if e.Phase == mcpsf.PhaseIdle && e.Call != "" {
		return mcpsf.PhaseDrive
	}
	return e.Phase
}

// step returns the event of step i, or the first hit if there is none.
func (g *group) step(i int) *event.Fields {
	if i < len(g.steps) && g.steps[i] != nil {
		return g.steps[i]
	}
	return &g.first
}

// told returns the finding's message.
func (g *group) told(m *message.Message, home string) string {
	text := m.Render(g.data(home), g.step)
	if g.others {
		text += " (and many more like it, counted here)"
	}
	return text
}

// advised returns the finding's remediation.
func (g *group) advised(m *message.Message, home string) string {
	return m.Advise(g.data(home), g.step)
}

func (g *group) data(home string) *message.Data {
	return &message.Data{
		Fields: &g.first, Home: home, Reason: g.why.Reason, HostReason: g.hostWhy.Reason, File: g.place(), Static: g.static,
		Times: g.occurrences, Others: max(0, len(g.distinct)-1),
	}
}
