package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// maxFacts bounds how many facts are examined.
// gap: facts-not-judged
const maxFacts = 10_000

// facts evaluates the rules about facts.
func (p *pass) facts(all []mcpsf.Fact) {
	for i := range all[:min(len(all), maxFacts)] {
		fact := &all[i]
		for _, t := range p.tallies {
			if slices.Contains(t.rule.Facts, fact.Kind) {
				p.askAbout(t, fact)
			}
		}
	}
}

func (p *pass) askAbout(t *tally, fact *mcpsf.Fact) {
	if t.failed {
		return
	}
	defer p.caught(t, 0)
	p.env.Fields = event.OfFact(fact)
	p.env.Next()
	if p.watch != nil {
		p.watch(p.env)
	}
	if !t.rule.When.Holds(p.env) {
		return
	}
	s := t.hits.sight(t.rule, nil, p.env)
	s.purl, s.advisory = concerned(fact), fact.Advisory
	t.hits.add(t.rule, s, func() *group {
		return &group{
			key: s.key, first: p.env.Fields, firstPhase: mcpsf.PhaseInspect,
			file: fact.Path, line: fact.Line, purl: s.purl, static: true, distinct: map[string]bool{},
		}
	})
}

// concerned returns the purl of the dependency that a fact is about.
func concerned(fact *mcpsf.Fact) string {
	if strings.HasPrefix(fact.Kind, "dependency.") {
		return fact.Name
	}
	return fact.Package
}

// note adds the package and advisory of a further fact. A group about several
// packages names none.
func (g *group) note(s *sighting) {
	if g.purl != s.purl {
		g.purl = ""
	}
	if s.advisory != "" && len(g.advisories) < maxAdvisories && !slices.Contains(g.advisories, s.advisory) {
		g.advisories = append(g.advisories, quote.Cut(s.advisory, maxAdvisoryID))
	}
}

// place returns the file and line, or the subject, of a static group.
func (g *group) place() string {
	switch {
	case g.file == "":
		return g.first.Subject
	case g.line > 0:
		return g.file + ":" + strconv.Itoa(g.line)
	}
	return g.file
}
