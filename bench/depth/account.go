package main

import (
	"regexp"
	"slices"
	"strings"
)

// credentialName matches the names of variables and flags whose value is issued
// with an account.
var credentialName = regexp.MustCompile(`(?i)(?:key|token|secret|passw(?:or)?d|pwd|[_-]pass|credentials?|[_-]pat|jwt|cookie|bearer)(?:[_-]id)?$`)

// needsAccount tells whether a server is of use only to who has an account: the
// list says so, mcpsf made up a credential to start it, or one of its tools asked
// for one. All that is known of the server counts, whichever build saw it, so that
// both are compared on the same servers. What it gets wrong:
//
//   - a credential that the documentation shows and the code can do without counts,
//     and so does the password of a local database;
//   - a token that every developer's shell exports, GITHUB_TOKEN, is there already:
//     a server that takes it is not noticed, unless a tool refuses it;
//   - whether a tool asked for a credential is guessed from the words of its refusal;
//   - of a server that never started only the list knows, where "real" is also
//     a service that must run.
func needsAccount(listed string, runs ...*result) bool {
	return listed == "real" || slices.ContainsFunc(runs, func(r *result) bool {
		return slices.ContainsFunc(r.Given, credentialName.MatchString) || slices.ContainsFunc(r.Tools, func(t tool) bool {
			return strings.HasPrefix(t.Help, helpAccount) || strings.HasPrefix(t.Help, helpVariable)
		})
	})
}
