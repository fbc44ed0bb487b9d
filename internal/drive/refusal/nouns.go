package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	// verb ends the noun that a clause begins with.
	verb = lazyregexp.New(`(?i)(?:^|\s)(?:is|are|was|were|must|should|cannot|can|could|has|have|needs?|when|if|because|but|which|that|does|do|with|to|resolves?)\b.*$`)
	// filler are words around a name that are none.
	leading  = lazyregexp.New(`(?i)^(?:(?:the|a|an|valid|your|this|each|every|all|both|error|errors|input|parameters?|arguments?|field|property|option|key|value|required|and|or|provided|given|specified|requested|following|file named|validation|failed|in|for|of|at|on)\s+)+`)
	trailing = lazyregexp.New(`(?i)\s+(?:parameters?|arguments?|fields?|property|properties|options?|values?|inputs?|entry|entries|strings?|list|array|length|count|attributes?|named|called)$`)
)

// nouns returns the names in a noun phrase, none if it is no name of a value.
func nouns(phrase string) []string {
	if phrase = verb.ReplaceAllString(phrase, ""); vague(phrase) {
		return nil
	}
	if i := strings.LastIndexAny(phrase, ";,!?"); i >= 0 && !strings.Contains(phrase, " and ") {
		phrase = phrase[i+1:]
	}
	phrase = strings.TrimLeft(strings.TrimSpace(phrase), "❌✖⚠️*#>- ")
	if quoted := quotedText.FindAllString(phrase, 4); len(quoted) > 0 {
		var out []string
		for _, q := range quoted {
			if name := unquoted(q); identifier.MatchString(name) && len(name) <= maxName {
				out = append(out, name)
			}
		}
		return out
	}
	phrase = leading.ReplaceAllString(phrase, "")
	for range 2 {
		phrase = trailing.ReplaceAllString(phrase, "")
	}
	var out []string
	for _, name := range joints.Split(phrase, 4) {
		if name = leading.ReplaceAllString(strings.TrimSpace(name), ""); !vague(name) && named.MatchString(name) {
			out = append(out, name)
		}
	}
	return out
}

var (
	joints = lazyregexp.New(`,? (?:and|or) |, `)
	// named is a name of up to four words.
	named      = lazyregexp.New(`^[A-Za-z_$][\w$.\[\]-]*(?: [A-Za-z_][\w-]*){0,3}$`)
	identifier = lazyregexp.New(`^[A-Za-z_$@][\w$.\[\]-]*$`)
)

// vague reports whether a word names no value in particular.
func vague(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "", "it", "this", "that", "which", "you", "they", "there", "we", "i", "value", "values", "input", "inputs", "result", "error", "errors",
		"arguments", "argument", "parameter", "parameters", "params", "field", "fields", "property", "string", "number", "object", "array", "list", "boolean",
		"request", "response", "tool", "call", "none", "one", "at least one", "at least", "option", "string value", "too small", "too big", "type error", "value error",
		"invalid input", "invalid option", "invalid string", "invalid value", "invalid", "validation", "validation error", "bad request", "failed", "provide", "what", "not",
		"root", "enum", "path outside", "expected", "expected a", "expected an", "valid", "must", "unable", "top-level", "top-level value", "required", "all", "any", "only", "access denied", "use", "should", "ensure":
		return true
	}
	low := strings.ToLower(name)
	return strings.HasSuffix(low, " error") || slices.ContainsFunc([]string{"at least ", "error ", "failed", "cannot ", "unable ", "no ", "mcp error", "invalid ", "could ", "provide ", "please", "use ", "specify", "pass ", "either "}, func(p string) bool { return strings.HasPrefix(low, p) })
}

// members reads names of members in prose: `a`, `b` or `c`.
func members(text string) []string {
	if text == "" {
		return nil
	}
	text = parenthesis.ReplaceAllString(text, "")
	var out []string
	if quoted := quotedText.FindAllString(text, maxWishes); len(quoted) > 0 {
		for _, q := range quoted {
			out = append(out, unquoted(q))
		}
		return slices.DeleteFunc(out, func(n string) bool { return !named.MatchString(n) })
	}
	for _, name := range joints.Split(strings.Trim(text, " []{}().:"), maxWishes) {
		name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(strings.Trim(name, " []."), "or "), "and "), " or")
		name = trailing.ReplaceAllString(leading.ReplaceAllString(name, ""), "")
		if !named.MatchString(name) || strings.Count(name, " ") > 1 {
			break
		}
		out = append(out, name)
	}
	if len(out) == 1 && articles(out[0]) {
		return nil
	}
	return out
}

func articles(name string) bool {
	switch strings.ToLower(name) {
	case "a", "an", "the", "to", "in", "for", "either", "valid", "docker", "not", "it", "at", "this", "that", "both", "and", "or", "unique", "only", "one", "more", "any":
		return true
	}
	return false
}
