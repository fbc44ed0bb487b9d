package rules

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Markdown returns the reference page of a set of rules, docs/rules.md.
func Markdown(s *Set) string {
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the rule files; do not edit. ")
	b.WriteString("[How to add one](adding-a-rule.md).\n\n")
	b.WriteString("| rule | category | severity | grade | weight | what it says |\n| --- | --- | --- | --- | ---: | --- |\n")
	for _, r := range s.Rules() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s | %d | %s |\n", r.ID, r.ID, r.Category, r.Severity, r.Grade, r.Weight, cell(r.Title))
	}
	for _, r := range s.Rules() {
		fmt.Fprintf(&b, "\n## %s\n\n**%s** (%s, %s, %s, weight %d)\n\n", r.ID, r.Title, r.Category, r.Severity, r.Grade, r.Weight)
		fmt.Fprintf(&b, "%s\n\n*What to do:* %s\n\n", r.Rationale, strings.ReplaceAll(r.Remediation, "\n", " "))
		fmt.Fprintf(&b, "Looks at: %s.\n", looksAt(r))
		if ids := s.Covered(r.ID); len(ids) > 0 {
			fmt.Fprintf(&b, "Covers, where both are about the same: %s.\n", linked(ids))
		}
		if m := joinMaps(r.Maps); m != "" {
			fmt.Fprintf(&b, "Known elsewhere as: %s.\n", m)
		}
	}
	return b.String()
}

// linked lists rules as links within the page.
func linked(ids []string) string {
	var names []string
	for _, id := range ids {
		names = append(names, "["+id+"](#"+id+")")
	}
	return strings.Join(names, ", ")
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// looksAt lists the kinds of events or facts that a rule examines.
func looksAt(r rulefile.Rule) string {
	var names []string
	for _, k := range r.Kinds {
		names = append(names, "`"+string(k)+"`")
	}
	for _, k := range r.Facts {
		names = append(names, "the fact `"+k+"`")
	}
	return strings.Join(names, ", ")
}

func joinMaps(m mcpsf.Maps) string {
	var parts []string
	for _, l := range []struct {
		name string
		ids  []string
	}{
		{"OWASP MCP", m.OWASPMCP}, {"CWE", m.CWE}, {"ATT&CK", m.ATTACK}, {"ATLAS", m.ATLAS}, {"SAFE-MCP", m.SAFEMCP},
	} {
		if len(l.ids) > 0 {
			parts = append(parts, l.name+" "+strings.Join(l.ids, " "))
		}
	}
	return strings.Join(parts, "; ")
}
