package condition

import (
	"fmt"
	"strings"
)

// section is a group of fields or predicates on one topic.
type section struct {
	title      string
	fields     []Field
	predicates []Predicate
}

func sections() []section {
	return []section{
		{"Every event", originWords(), callPredicates()},
		{"Who asked for it", nil, explanationPredicates()},
		{"Files", fileWords(), pathPredicates()},
		{"Processes", processWords(), programPredicates()},
		{"Installations and facts", nil, installPredicates()},
		{"Hosts", netWords(), hostPredicates()},
		{"Traffic", requestWords(), trafficPredicates()},
		{"Leaks and variables", leakWords(), nil},
		{"What was tried, found or limited", detailWords(), nil},
		{"Messages of the protocol", messageFieldWords(), nil},
		{"Tools and texts", nil, toolPredicates()},
		{"Changes since before", changeWords(), nil},
		{"Attacks", attackWords(), attackPredicates()},
		{"Servers that listen", checkWords(), nil},
	}
}

// Reference returns the page docs/rule-conditions.md with all fields and predicates.
func Reference() string {
	var b strings.Builder
	b.WriteString("# Conditions of rules\n\nGenerated from `internal/judge/rules/condition`; do not edit. ")
	b.WriteString("[How to add a rule](adding-a-rule.md).\n\n")
	b.WriteString("A condition is asked about one event, or fact, at a time. A field that does not apply\n")
	b.WriteString("is empty, never missing. A predicate answers for the event at hand unless it has\narguments.\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n| name | type | meaning | example |\n| --- | --- | --- | --- |\n", s.title)
		for _, f := range s.fields {
			row(&b, f.Name, typeName(f.get), f.Doc, f.Example)
		}
		for _, p := range s.predicates {
			row(&b, p.Name+"("+strings.Join(p.Params, ", ")+")", answerName(p.answer), p.Doc, p.Example)
		}
	}
	return b.String()
}

func row(b *strings.Builder, name, kind, doc, example string) {
	fmt.Fprintf(b, "| `%s` | %s | %s | `%s` |\n", name, kind, doc, strings.ReplaceAll(example, "|", `\|`))
}

// typeName names the type of a field for the reference page.
func typeName(get any) string {
	switch zeroOf(get).(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int, float64:
		return "number"
	case []string:
		return "list of texts"
	}
	return ""
}

// answerName names the result type of a predicate for the reference page.
func answerName(answer any) string {
	switch answer.(type) {
	case func(*Env) string, func(*Env, string) string:
		return "text"
	case func(*Env) int:
		return "number"
	}
	return "true or false"
}
