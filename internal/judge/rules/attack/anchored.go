package attack

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

// anchored are the places of tools that put a folder of their own in front of
// what they are given: they mean to keep to it. A tool without limits opens a
// relative path where it was started.
type anchored map[attackPlace]bool

// foresee looks at the attacks that stay relative: whoever takes such a path as
// it is looks for something below its folder that is not there.
func (a anchored) foresee(scope declared.Scope) func(*mcpsf.Event) {
	calls := map[string]*mcpsf.Event{}
	return func(e *mcpsf.Event) {
		switch {
		case e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer && e.MCP.Attack != nil:
			if e.MCP.Attack.Class == "path-traversal" && e.MCP.Attack.Payload != "" {
				calls[e.Call] = e
			}
		case e.File != nil && calls[e.Call] != nil:
			request := calls[e.Call]
			if base, ok := baseOf(e.File.Path, request.MCP.Attack.Payload); ok && keeps(base, request.MCP.Body, scope) {
				a[placeOf(request)] = true
			}
		}
	}
}

// baseOf is what stands before the relative path in one that was opened.
func baseOf(opened, given string) (string, bool) {
	rest := path.Clean(given)
	if path.IsAbs(rest) || rest == "." || rest == ".." || strings.HasPrefix(rest, "../") || strings.Contains(given, "://") {
		return "", false
	}
	base, _, found := strings.Cut(path.Clean(opened), "/"+rest)
	return base, found
}

// keeps tells whether a folder is one that a tool keeps to. Where it was
// started, what is above that, and what the caller names with the path are none.
func keeps(base string, body []byte, scope declared.Scope) bool {
	if base == "" || base == scope.Home || strings.HasPrefix(scope.WorkDir+"/", base+"/") || strings.HasPrefix(scope.Start+"/", base+"/") {
		return false
	}
	return !strings.Contains(string(body), `"`+base)
}
