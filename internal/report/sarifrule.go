package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// rule describes the rule of a finding, by what the finding has of it.
func (b *sarifBuilder) rule(id string, f *mcpsf.Finding) sarifRule {
	title := cmp.Or(brief(f.Title, sarifShort), id)
	tags := sarifTagsOf(f.Maps)
	if len(tags) > sarifTags {
		tags, b.cutTags = tags[:sarifTags], true
	}
	return sarifRule{
		ID: id, Name: sarifName(id),
		ShortDescription: sarifText{Text: title},
		FullDescription:  sarifText{Text: brief(wording.Joined(strings.TrimRight(title, ".")+".", wording.OneLine(f.Remediation)), sarifShort)},
		Help:             sarifHelp(f, title),
		DefaultConfiguration: sarifLevel{
			Level: sarifLevelOf(f),
		},
		Properties: sarifRuleFacts{Tags: tags, Precision: sarifPrecision(f.Grade), SecuritySeverity: securitySeverity(f)},
	}
}

// sarifHelp says what was proved and what to do, once as text and once as
// Markdown.
func sarifHelp(f *mcpsf.Finding, title string) sarifText {
	text, md := title, "**"+prose(title, sarifShort)+"**"
	if f.Remediation != "" {
		text += "\n\nWhat to do: " + brief(wording.OneLine(f.Remediation), sarifShort)
		md += "\n\nWhat to do: " + prose(wording.OneLine(f.Remediation), sarifShort)
	}
	if f.Grade != "" {
		text += "\n\nGrade: " + brief(string(f.Grade), maxName)
		md += "\n\nGrade: " + prose(string(f.Grade), maxName)
	}
	if ids := taxonomies(f.Maps); len(ids) > 0 {
		known := strings.Join(ids, ", ")
		text += "\n\nKnown as " + brief(known, sarifShort)
		md += "\n\nKnown as " + code(known, sarifShort)
	}
	return sarifText{Text: text, Markdown: md}
}

// sarifName is an id the way SARIF wants names: SecretSent.
func sarifName(id string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(id, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		b.WriteString(wording.UpperFirst(part))
	}
	return b.String()
}

func sarifLevelOf(f *mcpsf.Finding) string {
	switch f.Severity {
	case mcpsf.SeverityCritical, mcpsf.SeverityHigh:
		return "error"
	case mcpsf.SeverityMedium:
		return "warning"
	}
	return "note"
}

// sarifPrecision is how often a rule of that grade is right.
func sarifPrecision(g mcpsf.Grade) string {
	switch g {
	case mcpsf.GradeProved:
		return "very-high"
	case mcpsf.GradeAttempted:
		return "high"
	}
	return "medium"
}

// securitySeverity is the number that GitHub makes its own bands of: critical
// from 9.0, high from 7.0, medium from 4.0, low above 0. A suspicion counts one
// band lower, as in the verdict. Below low there is none.
func securitySeverity(f *mcpsf.Finding) string {
	return []string{"", "3.0", "5.5", "8.0", "9.5"}[max(rankOf(f), 0)]
}

// sarifTagsOf are the ids a rule has in public taxonomies, those first that
// GitHub shows by name.
func sarifTagsOf(m mcpsf.Maps) []string {
	tags := []string{"security"}
	add := func(tag string) {
		if tag = brief(tag, maxName); !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	for _, id := range m.CWE {
		if n, err := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(id), "CWE-")); err == nil && n >= 0 {
			add(fmt.Sprintf("external/cwe/cwe-%03d", n))
		}
	}
	for _, taxonomy := range []struct {
		name string
		ids  []string
	}{
		{"owasp-mcp", m.OWASPMCP}, {"mitre-attack", m.ATTACK}, {"mitre-atlas", m.ATLAS}, {"safe-mcp", m.SAFEMCP},
	} {
		for _, id := range taxonomy.ids {
			add("external/" + taxonomy.name + "/" + id)
		}
	}
	return tags
}

// sarifMessage is a message without links: "[text](target)" is one in SARIF even
// where there is no Markdown.
func sarifMessage(s string, n int) string {
	return strings.ReplaceAll(brief(s, n), "](", "] (")
}
