package sarif

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// rule describes the rule of a finding, from the fields of the finding.
func (b *builder) rule(id string, f *mcpsf.Finding) Rule {
	title := cmp.Or(phrase.Brief(f.Title, maxShort), id)
	tags := tagsOf(f.Maps)
	if len(tags) > maxTags {
		tags, b.cutTags = tags[:maxTags], true
	}
	return Rule{
		ID: id, Name: ruleName(id),
		ShortDescription: Text{Text: title},
		FullDescription:  Text{Text: phrase.Brief(wording.Joined(strings.TrimRight(title, ".")+".", wording.OneLine(f.Remediation)), maxShort)},
		Help:             help(f, title),
		DefaultConfiguration: Level{
			Level: levelOf(f),
		},
		Properties: ruleFacts{Tags: tags, Precision: precision(f.Grade), SecuritySeverity: securitySeverity(f)},
	}
}

// help says what was proved and what to do, as text and as Markdown.
func help(f *mcpsf.Finding, title string) Text {
	text, md := title, "**"+mdtext.Prose(title, maxShort)+"**"
	if f.Remediation != "" {
		text += "\n\nWhat to do: " + phrase.Brief(wording.OneLine(f.Remediation), maxShort)
		md += "\n\nWhat to do: " + mdtext.Prose(wording.OneLine(f.Remediation), maxShort)
	}
	if f.Grade != "" {
		text += "\n\nGrade: " + phrase.Brief(string(f.Grade), phrase.MaxName)
		md += "\n\nGrade: " + mdtext.Prose(string(f.Grade), phrase.MaxName)
	}
	if ids := digest.Taxonomies(f.Maps); len(ids) > 0 {
		known := strings.Join(ids, ", ")
		text += "\n\nKnown as " + phrase.Brief(known, maxShort)
		md += "\n\nKnown as " + mdtext.Code(known, maxShort)
	}
	return Text{Text: text, Markdown: md}
}

// ruleName writes an id in the form of SARIF names: SecretSent.
func ruleName(id string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(id, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		b.WriteString(wording.UpperFirst(part))
	}
	return b.String()
}

func levelOf(f *mcpsf.Finding) string {
	switch f.Severity {
	case mcpsf.SeverityCritical, mcpsf.SeverityHigh:
		return "error"
	case mcpsf.SeverityMedium:
		return "warning"
	}
	return "note"
}

// precision is how often a rule of that grade is right.
func precision(g mcpsf.Grade) string {
	switch g {
	case mcpsf.GradeProved:
		return "very-high"
	case mcpsf.GradeAttempted:
		return "high"
	}
	return "medium"
}

// securitySeverity is the number from which GitHub derives its levels: critical
// from 9.0, high from 7.0, medium from 4.0, low above 0. A suspicion counts one
// band lower, as in the verdict. Below low there is none.
func securitySeverity(f *mcpsf.Finding) string {
	return []string{"", "3.0", "5.5", "8.0", "9.5"}[max(digest.RankOf(f), 0)]
}

// tagsOf returns the ids of a rule in public taxonomies; those that GitHub shows
// by name come first.
func tagsOf(m mcpsf.Maps) []string {
	tags := []string{"security"}
	add := func(tag string) {
		if tag = phrase.Brief(tag, phrase.MaxName); !slices.Contains(tags, tag) {
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

// message removes links: "[text](target)" is a link in SARIF even without
// Markdown.
func message(s string, n int) string {
	return strings.ReplaceAll(phrase.Brief(s, n), "](", "] (")
}
