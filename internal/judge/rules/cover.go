package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// One root cause is one finding. A rule lists in covers the rules that detect
// the same root cause by a weaker or less specific sign. If each hit of a
// covered rule matches a hit of the covering rule, the covered finding is left
// out and its evidence is added to the covering finding.

// Bounds of the comparison. Groups beyond them stay findings of their own.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const (
	// maxSame is how many different hits of a group are compared.
	maxSame = 1000
	// maxLentEvidence is how many events of covered findings a finding may add
	// to its own evidence.
	maxLentEvidence = 4
)

// checkCovers returns the errors in a rule's list of covered rules. A folder of
// rules may name rules of another folder; with all set, every named rule must
// exist.
func (s *Set) checkCovers(r *rulefile.Compiled, all bool) []error {
	var problems []error
	for _, id := range r.Covered() {
		i := s.index(id)
		if i < 0 {
			if all {
				problems = append(problems, fmt.Errorf("%s:1: covers: there is no rule %q; did you mean %s?", r.File, id, s.nearest(id)))
			}
			continue
		}
		if why := r.OutrankedBy(s.rules[i]); why != "" {
			problems = append(problems, fmt.Errorf("%s:1: covers: %s %s than this rule and would be lost", r.File, id, why))
		}
	}
	return problems
}

// link says that one rule covers another.
type link struct {
	by    *tally
	cover *rulefile.Cover
}

// connect links the rules of a pass that cover each other. Links with a condition come
// first: if two rules cover each other, the hits decide which finding stays.
func (p *pass) connect() {
	byID := map[string]*tally{}
	for _, t := range p.tallies {
		byID[t.rule.ID] = t
	}
	for _, t := range p.tallies {
		for i := range t.rule.Covers {
			c := &t.rule.Covers[i]
			l := &link{by: t, cover: c}
			used := false
			for _, id := range c.Rules {
				if of := byID[id]; of != nil {
					of.hits.coveredBy = append(of.hits.coveredBy, l)
					used = true
				}
			}
			if used {
				t.hits.covers = append(t.hits.covers, l)
			}
		}
	}
	for _, t := range p.tallies {
		slices.SortStableFunc(t.hits.coveredBy, func(a, b *link) int {
			return boolRank(b.cover.Conditional()) - boolRank(a.cover.Conditional())
		})
	}
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sameness holds the values by which a hit is compared with hits of other rules:
// one for each link that covers its rule, and one for each link by which its
// rule covers another. "" means no value.
type sameness struct{ covered, covering []string }

// compare computes the values by which the current event is compared with hits of other rules.
func (h *hits) compare(env *condition.Env) sameness {
	var s sameness
	for _, l := range h.coveredBy {
		s.covered = append(s.covered, sameValue(l.cover.Same, &env.Fields))
	}
	for _, l := range h.covers {
		value := ""
		if !l.cover.Conditional() || l.cover.When.Holds(env) {
			value = sameValue(l.cover.Same, &env.Fields)
		}
		s.covering = append(s.covering, value)
	}
	return s
}

// sameValue joins the values of the fields, "" if the event lacks one.
func sameValue(names []string, f *event.Fields) string {
	var b strings.Builder
	for _, name := range names {
		value, ok := f.Same(name)
		if !ok {
			return ""
		}
		b.WriteString(value)
		b.WriteByte(0)
	}
	return b.String()
}

// compared holds the values by which the hits of a group are compared with other groups.
type compared struct {
	// hits are the different values of the hits, by link; tooMany is set if
	// there were more than maxSame.
	hits    [][]string
	seen    map[string]bool
	tooMany bool
	// covers are the values that the group covers.
	covers map[*link]map[string]bool
}

// take adds the values of one hit.
func (c *compared) take(h *hits, s *sameness) {
	if len(s.covered) > 0 {
		key := strings.Join(s.covered, "\x01")
		switch {
		case c.seen[key]:
		case len(c.hits) >= maxSame:
			c.tooMany = true
		default:
			if c.seen == nil {
				c.seen = map[string]bool{}
			}
			c.seen[key] = true
			c.hits = append(c.hits, s.covered)
		}
	}
	for i, value := range s.covering {
		l := h.covers[i]
		if value == "" || len(c.covers[l]) >= maxSame {
			continue
		}
		if c.covers == nil {
			c.covers = map[*link]map[string]bool{}
		}
		if c.covers[l] == nil {
			c.covers[l] = map[string]bool{}
		}
		c.covers[l][value] = true
	}
}

// report is a group that becomes a finding unless another group covers it.
type report struct {
	*tally
	group *group
	// by is the report that covers this one, nil if none does; also are the
	// reports that this one covers, directly or not.
	by   *report
	also []*report
}

// root returns the report that stays at the end of a chain of covering reports.
func (r *report) root() *report {
	for r.by != nil {
		r = r.by
	}
	return r
}

// reports lists the groups of all rules and links each to the one that covers it.
func (p *pass) reports() []*report {
	var all []*report
	byTally := map[*tally][]*report{}
	for _, t := range p.tallies {
		for _, g := range t.hits.order {
			if g.holds(t.rule.Count) {
				r := &report{tally: t, group: g}
				all = append(all, r)
				byTally[t] = append(byTally[t], r)
			}
		}
	}
	for _, conditional := range []bool{true, false} {
		for _, r := range all {
			if r.by == nil {
				r.by = r.coverer(byTally, conditional)
			}
		}
	}
	for _, r := range all {
		if r.by != nil {
			root := r.root()
			root.also = append(root.also, r)
		}
	}
	return all
}

// coverer returns the first report that covers a hit of r, or nil unless every
// hit of r is covered. With conditional, only links with a condition count.
func (r *report) coverer(by map[*tally][]*report, conditional bool) *report {
	var first *report
	if r.group.same.tooMany {
		return nil
	}
	for _, values := range r.group.same.hits {
		found := r.covererOf(values, by, conditional)
		if found == nil {
			return nil
		}
		if first == nil {
			first = found
		}
	}
	return first
}

func (r *report) covererOf(values []string, by map[*tally][]*report, conditional bool) *report {
	for i, l := range r.hits.coveredBy {
		if values[i] == "" || conditional && !l.cover.Conditional() {
			continue
		}
		for _, other := range by[l.by] {
			if other.group.same.covers[l][values[i]] && other.root() != r {
				return other
			}
		}
	}
	return nil
}

// evidence returns the events of a report and the first events of the reports that it covers.
func (r *report) evidence() []int64 {
	var lent []int64
	for round := 0; round < maxEvidence && len(lent) < maxLentEvidence; round++ {
		for _, other := range r.also {
			list := other.group.evidence
			if round < len(list) && len(lent) < maxLentEvidence && !slices.Contains(lent, list[round]) && !slices.Contains(r.group.evidence, list[round]) {
				lent = append(lent, list[round])
			}
		}
	}
	own := r.group.evidence
	all := slices.Concat(own[:min(len(own), maxEvidence-len(lent))], lent)
	slices.Sort(all)
	return all
}
