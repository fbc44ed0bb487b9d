package refusal

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// flatIssue is an issue of zod as servers write it in a line: "0.id: Invalid input: expected
// number, received string".
var flatIssue = lazyregexp.New(`(?:^|[\s,;(])([\w$.\[\]-]{0,120}): Invalid (?:input|type|option): expected (?:(one of [^,;\n]{1,200})|(\w{1,20})(?:, received (\w{1,20}))?)`)

// flatIssues reads such a line.
func (r *reader) flatIssues(text string) {
	if strings.Contains(text, ` at "`) {
		return // the path is behind
	}
	for _, m := range flatIssue.FindAllStringSubmatch(text, maxWishes) {
		w := mcpsf.Wish{Kind: mcpsf.WishType, Path: strings.FieldsFunc(m[1], func(c rune) bool { return strings.ContainsRune(".[]", c) })}
		switch {
		case m[2] != "":
			w.Kind, w.Accepted = mcpsf.WishOneOf, values(strings.TrimPrefix(m[2], "one of "))
			if len(w.Accepted) == 0 {
				continue
			}
		case m[4] == "undefined":
			w.Kind, w.Type = mcpsf.WishMissing, TypeOf(m[3])
		default:
			if w.Type = TypeOf(m[3]); w.Type == "" {
				continue
			}
			if len(w.Path) == 0 {
				w.Got = gotType(m[4]) // it is looked for
			}
		}
		r.add(w)
	}
}
