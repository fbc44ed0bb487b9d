package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxFacts bounds how many facts are looked at.
const maxFacts = 10_000

var factKind = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$`)

// facts shows what static inspection found to the rules that are about it.
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
	p.env.fields = factFields(fact)
	p.env.asked++
	if !t.rule.when.holds(p.env) {
		return
	}
	s := sight(t.rule, nil, &p.env.fields, p.run)
	s.purl, s.advisory = concerned(fact), fact.Advisory
	t.hits.add(t.rule, s, func() *group {
		return &group{
			key: s.key, first: p.env.fields, firstPhase: mcpsf.PhaseInspect,
			file: fact.Path, line: fact.Line, purl: s.purl, static: true, distinct: map[string]bool{},
		}
	})
}

// concerned is the purl of the dependency that a fact is about.
func concerned(fact *mcpsf.Fact) string {
	if strings.HasPrefix(fact.Kind, "dependency.") {
		return fact.Name
	}
	return fact.Package
}

// note keeps what a further fact is about. A group about several packages is
// about none of them.
func (g *group) note(s *sighting) {
	if g.purl != s.purl {
		g.purl = ""
	}
	if s.advisory != "" && len(g.advisories) < maxAdvisories && !slices.Contains(g.advisories, s.advisory) {
		g.advisories = append(g.advisories, cut(s.advisory, maxAdvisoryID))
	}
}

// factFields describe a fact. It is about a file, or about what it names.
func factFields(fact *mcpsf.Fact) fields {
	f := fields{
		Kind: fact.Kind, Path: fact.Path, Subject: fact.Path, What: fact.Name, Detail: fact.Text,
		Tool: fact.Tool, Level: string(fact.Level), Package: fact.Package,
	}
	if f.Subject == "" || strings.HasPrefix(fact.Kind, "dependency.") {
		f.Subject = fact.Name
	}
	return f
}

// place names what of the package the group is about.
func (g *group) place() string {
	switch {
	case g.file == "":
		return g.first.Subject
	case g.line > 0:
		return g.file + ":" + strconv.Itoa(g.line)
	}
	return g.file
}

// fact tells whether there is a fact of a kind.
func (r *run) fact(kind string) bool {
	return slices.ContainsFunc(r.facts, func(f mcpsf.Fact) bool { return f.Kind == kind })
}

// factText tells whether there is one whose text has that in it.
func (r *run) factText(kind, part string) bool {
	return slices.ContainsFunc(r.facts, func(f mcpsf.Fact) bool { return f.Kind == kind && strings.Contains(f.Text, part) })
}

// factFile tells whether there is one about a file, given by its path in the
// sandbox or in the package.
func (r *run) factFile(kind, path string) bool {
	return slices.ContainsFunc(r.facts, func(f mcpsf.Fact) bool {
		return f.Kind == kind && f.Path != "" && (f.Path == path || strings.HasSuffix(path, "/"+f.Path))
	})
}
