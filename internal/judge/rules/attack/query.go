package attack

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/query"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// asCode tells whether the marker of an attack is code, and not data, in a query
// to a database or service. A tool that takes a whole statement from its caller
// is not injectable: the server must have written the beginning.
func asCode(f *event.Fields, a *mcpsf.AttackDetail) bool {
	switch {
	case f.Query != nil:
		return statementHolds(f.Query, a)
	case f.Kind != string(mcpsf.KindNetHTTP) || !strings.Contains(f.Body+f.URL, a.Marker):
		return false
	}
	switch a.Class {
	case "graphql-injection":
		for _, document := range documentsIn(f, "query") {
			if query.InGraphQL(document, a.Marker) && begun(document, a) {
				return true
			}
		}
	case "nosql-injection":
		return filterHolds(f.Body, a)
	case "sql-injection":
		for _, statement := range append(documentsIn(f, "query", "sql", "q", "statement", "stmt"), f.Body) {
			if query.AsCode(statement, a.Marker) && startsStatement(before(statement, a)) {
				return true
			}
		}
	}
	return false
}

// statementHolds checks a query that was sent in a database's own protocol.
func statementHolds(q *mcpsf.QueryDetail, a *mcpsf.AttackDetail) bool {
	switch q.Language {
	case "sql":
		return query.AsCode(q.Text, a.Marker) && startsStatement(before(q.Text, a))
	case "cypher":
		return query.AsCode(q.Text, a.Marker) && graphVerb.MatchString(before(q.Text, a))
	case "ldap":
		// A correctly escaped value can match neither of the two forms below.
		base, filter, _ := strings.Cut(q.Text, " (")
		return strings.Contains("("+filter, "("+a.Marker+"=") || strings.Contains(base, ","+a.Marker+"=")
	case "mongodb":
		return filterHolds(q.Text, a)
	case "redis":
		return a.Class == "nosql-injection" && strings.HasPrefix(q.Text, "SET "+a.Marker+" ")
	}
	return false
}

// before returns the part of a statement in front of the payload.
func before(statement string, a *mcpsf.AttackDetail) string {
	if text, _, ok := strings.Cut(statement, a.Payload); ok && a.Payload != "" {
		return text
	}
	text, _, _ := strings.Cut(statement, a.Marker)
	return text
}

// begun tells whether the server wrote the beginning of a GraphQL document itself.
func begun(document string, a *mcpsf.AttackDetail) bool {
	return strings.ContainsAny(before(document, a), "{(")
}

var (
	verb      = lazyregexp.New(`(?i)\b(?:select|insert|update|delete|replace|merge|call|exec|execute|values|set|create|alter|drop|with)\b`)
	graphVerb = lazyregexp.New(`(?i)\b(?:match|where|merge|create|set|return|with|unwind)\b`)
	// whole matches the beginning of a statement that embeds a complete other statement.
	whole = lazyregexp.New(`(?i)(?:\b(?:from|as)\s*\(\s*|;\s*)$`)
)

// startsStatement tells whether text begins a statement, and what follows is not
// a complete statement of its own.
func startsStatement(text string) bool { return verb.MatchString(text) && !whole.MatchString(text) }

// documentsIn returns the values of the named members in the JSON body of a
// request (an object or a list of objects) and in its URL.
func documentsIn(f *event.Fields, names ...string) []string {
	var all []string
	add := func(o map[string]json.RawMessage) {
		for _, name := range names {
			var text string
			if json.Unmarshal(o[name], &text) == nil && text != "" {
				all = append(all, text)
			}
		}
	}
	var one map[string]json.RawMessage
	var many []map[string]json.RawMessage
	switch {
	case json.Unmarshal([]byte(f.Body), &one) == nil:
		add(one)
	case json.Unmarshal([]byte(f.Body), &many) == nil:
		for _, o := range many[:min(len(many), lex.MaxArgs)] {
			add(o)
		}
	case slices.ContainsFunc(f.Headers, namesGraphQL):
		all = append(all, f.Body)
	}
	if u, err := url.Parse(f.URL); err == nil {
		asked := u.Query()
		for _, name := range names {
			if text := asked.Get(name); text != "" {
				all = append(all, text)
			}
		}
	}
	return all
}

// namesGraphQL tells whether the content type says that the body is a GraphQL document.
func namesGraphQL(h mcpsf.HTTPHeader) bool {
	return strings.EqualFold(h.Name, "content-type") && strings.Contains(strings.ToLower(h.Value), "application/graphql")
}

// filterHolds tells whether the marker is the operand of an operator in the
// filter of a document database. A tool that passes the caller's whole filter on
// is not injectable: one of the server's own fields must enclose the operator.
func filterHolds(text string, a *mcpsf.AttackDetail) bool {
	var request map[string]any
	if a.Class != "nosql-injection" || len(text) > lex.MaxParams || json.Unmarshal([]byte(text), &request) != nil {
		return false
	}
	object := strings.HasPrefix(strings.TrimSpace(a.Payload), "{") && !strings.Contains(text, `\"$`)
	w := filterWalk{marker: a.Marker, needField: object, caller: callerFields(a.Place)}
	for _, name := range []string{"filter", "selector", "query", "where", "q", "pipeline"} {
		if w.operated(request[name], false, lex.MaxDepth) {
			return true
		}
	}
	for _, name := range []string{"deletes", "updates"} { // of MongoDB
		list, _ := request[name].([]any)
		for _, one := range list[:min(len(list), lex.MaxArgs)] {
			if o, ok := one.(map[string]any); ok && w.operated(o["q"], false, lex.MaxDepth) {
				return true
			}
		}
	}
	return false
}

// callerFields returns the names inside an argument that is an object, as parts of a
// JSON pointer. Where the server passes such an argument on, they are fields of the
// caller's, not its own.
func callerFields(place string) []string {
	parts := strings.Split(strings.TrimPrefix(place, "/"), "/")
	return parts[1:]
}

// filterWalk searches a filter for an operator with the marker.
type filterWalk struct {
	marker string
	// needField says that a field of the server's must enclose the operator.
	needField bool
	caller    []string
}

// operated walks a filter. field is set below a key of the server's that is not an
// operator.
func (w *filterWalk) operated(v any, field bool, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if w.operated(e, field, depth-1) {
				return true
			}
		}
	case map[string]any:
		for name, e := range v {
			operator := strings.HasPrefix(name, "$")
			if operator && (field || !w.needField) && operand(name, e, w.marker) {
				return true
			}
			if w.operated(e, field || !operator && !slices.Contains(w.caller, mcpsf.PointerPart(name)), depth-1) {
				return true
			}
		}
	}
	return false
}

// operand tells whether the marker is an operand: a value that equals it, or
// JavaScript code in which it is not inside a string.
func operand(operator string, v any, marker string) bool {
	switch v := v.(type) {
	case string:
		switch operator {
		case "$where", "$function", "$accumulator":
			return query.AsCode(v, marker)
		}
		return v == marker || strings.HasPrefix(v, marker+" ")
	case []any:
		for _, e := range v {
			if e == marker {
				return true
			}
		}
	}
	return false
}
