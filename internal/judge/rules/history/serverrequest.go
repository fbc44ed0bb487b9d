package history

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// folders records the roots that the client told the server.
func (l *Calls) folders(e *mcpsf.Event) {
	var told struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if len(e.MCP.Body) > lex.MaxParams || json.Unmarshal(e.MCP.Body, &told) != nil {
		return
	}
	l.roots = nil
	for _, root := range told.Roots[:min(len(told.Roots), lex.MaxArgs)] {
		if dir := paths.Expand(root.URI, l.declared.Scope.Home); strings.HasPrefix(dir, "/") {
			l.roots = append(l.roots, dir)
		}
	}
}

// OutsideRoots tells whether the server had asked for its roots, and the subject
// is outside of them.
func (l *Calls) OutsideRoots(f *event.Fields) bool {
	return len(l.roots) > 0 && !slices.ContainsFunc(l.roots, func(dir string) bool { return f.Subject == dir || paths.Under(f.Subject, dir) })
}

// Nth counts the requests or notifications of a method that the server sent in
// one call.
func (l *Calls) Nth(f *event.Fields) int {
	if c := l.ByID[f.Call]; c != nil && f.FromServer {
		return c.asked[f.Method]
	}
	return 0
}

// askedFor identifies a call by tool and arguments.
type askedFor struct{ tool, arguments string }

// repeated records a call and tells whether the same call was made before.
func (l *Calls) repeated(c *Call) bool {
	if c.tool == "" || c.Attack != nil || len(c.Params) > lex.MaxValue || c.given().broken {
		return false
	}
	given, err := json.Marshal(c.given().Arguments) // without _meta and the like
	if err != nil {
		return false
	}
	key := askedFor{c.tool, string(given)}
	before := l.asks[key]
	l.asks[key] = true
	return before
}

// Again tells whether the event belongs to a call that repeats an earlier one
// with the same arguments.
func (l *Calls) Again(f *event.Fields) bool {
	c := l.ByID[f.Call]
	return c != nil && c.again && f.Phase != string(mcpsf.PhaseIdle)
}
