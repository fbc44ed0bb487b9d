package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// folders takes in the roots that the server was told.
func (l *callLog) folders(e *mcpsf.Event) {
	var told struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if len(e.MCP.Body) > maxParams || json.Unmarshal(e.MCP.Body, &told) != nil {
		return
	}
	l.roots = nil
	for _, root := range told.Roots[:min(len(told.Roots), maxArgs)] {
		if dir := expand(root.URI, l.declared.scope.Home); strings.HasPrefix(dir, "/") {
			l.roots = append(l.roots, dir)
		}
	}
}

// outsideRoots tells whether the server had asked which folders it may use, and
// the subject lies in none of them.
func (l *callLog) outsideRoots(f *fields) bool {
	return len(l.roots) > 0 && !slices.ContainsFunc(l.roots, func(dir string) bool { return f.Subject == dir || under(f.Subject, dir) })
}

// nth counts the requests or notifications of a kind that the server sent in
// one call.
func (l *callLog) nth(f *fields) int {
	if c := l.calls[f.Call]; c != nil && f.FromServer {
		return c.asked[f.Method]
	}
	return 0
}

// askedFor identifies a call by what it asked for.
type askedFor struct{ tool, arguments string }

// repeated notes a call and tells whether the same was asked for before.
func (l *callLog) repeated(c *call) bool {
	if c.tool == "" || c.attack != nil || len(c.params) > maxValue || c.given().broken {
		return false
	}
	given, err := json.Marshal(c.given().Arguments) // without what else a request carries
	if err != nil {
		return false
	}
	key := askedFor{c.tool, string(given)}
	before := l.asks[key]
	l.asks[key] = true
	return before
}

// again tells whether the event belongs to a call that was made before with
// the same arguments.
func (l *callLog) again(f *fields) bool {
	c := l.calls[f.Call]
	return c != nil && c.again && f.Phase != string(mcpsf.PhaseIdle)
}
