package page

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/wording"
)

type rulesView struct {
	Text, Severity string
	Severities     []string
	Total          int
	Rules          []ruleView
}

type ruleView struct {
	ID, Title, Level, Grade string
	Rationale, Remediation  string
	Looks                   string
	Own                     bool
	Taxonomy                []taxonomy
}

type taxonomy struct {
	Name string
	IDs  []string
}

func (p *pages) rules(v *visit) error {
	q := v.r.URL.Query()
	view := rulesView{Text: line(q.Get("q"), maxLine), Severity: q.Get("severity")}
	for _, s := range []mcpsf.Severity{mcpsf.SeverityCritical, mcpsf.SeverityHigh, mcpsf.SeverityMedium, mcpsf.SeverityLow, mcpsf.SeverityInfo} {
		view.Severities = append(view.Severities, string(s))
	}
	all := p.Rules.Rules()
	view.Total = len(all)
	wanted := strings.ToLower(strings.TrimSpace(q.Get("q")))
	for i := range all {
		r := &all[i]
		if (view.Severity == "" || view.Severity == string(r.Severity)) && mentions(r, wanted) {
			view.Rules = append(view.Rules, ruleOf(r))
		}
	}
	slices.SortStableFunc(view.Rules, func(a, b ruleView) int {
		return slices.Index(view.Severities, a.Level) - slices.Index(view.Severities, b.Level)
	})
	return p.show(v, http.StatusOK, frame{Title: "Rules", Here: "rules", Body: view}, "rules")
}

// mentions tells whether a rule contains a text.
func mentions(r *rules.Rule, wanted string) bool {
	texts := []string{r.ID, r.Title, r.Rationale, r.Remediation, string(r.Grade)}
	for _, t := range taxonomyOf(&r.Maps) {
		texts = append(texts, t.IDs...)
	}
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), wanted) })
}

func ruleOf(r *rules.Rule) ruleView {
	var looks []string
	for _, k := range r.Kinds {
		looks = append(looks, string(k))
	}
	looks = append(looks, r.Facts...)
	return ruleView{
		ID: line(r.ID, maxName), Title: line(r.Title, maxLine), Level: severity(r.Severity), Grade: line(string(r.Grade), 40),
		Rationale: line(r.Rationale, maxProse), Remediation: line(wording.OneLine(r.Remediation), maxProse), Looks: line(strings.Join(looks, ", "), maxLine),
		Own: !r.Builtin, Taxonomy: taxonomyOf(&r.Maps),
	}
}

func taxonomyOf(m *mcpsf.Maps) []taxonomy {
	var list []taxonomy
	for _, t := range []taxonomy{{"OWASP MCP", m.OWASPMCP}, {"CWE", m.CWE}, {"ATT&CK", m.ATTACK}, {"ATLAS", m.ATLAS}, {"SAFE-MCP", m.SAFEMCP}} {
		if len(t.IDs) > 0 {
			list = append(list, t)
		}
	}
	return list
}
