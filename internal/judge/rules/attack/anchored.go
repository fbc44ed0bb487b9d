package attack

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

// anchored are the arguments of tools that join a relative path to a base folder
// of their own, so the tool intends to stay inside it. A tool without such a
// limit opens a relative path in the folder it was started in.
type anchored map[attackPlace]bool

// foresee looks at path-traversal attacks with a relative payload. A tool that
// joins the payload to its base folder tries to open a file below that folder.
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

// baseOf returns the part of the opened path before the relative payload.
func baseOf(opened, given string) (string, bool) {
	rest := path.Clean(given)
	if path.IsAbs(rest) || rest == "." || rest == ".." || strings.HasPrefix(rest, "../") || strings.Contains(given, "://") {
		return "", false
	}
	base, _, found := strings.Cut(path.Clean(opened), "/"+rest)
	return base, found
}

// keeps tells whether base is a folder that the tool confines itself to. The
// home, the start folder, its parents and a folder named in the request are not.
func keeps(base string, body []byte, scope declared.Scope) bool {
	if base == "" || base == scope.Home || strings.HasPrefix(scope.WorkDir+"/", base+"/") || strings.HasPrefix(scope.Start+"/", base+"/") {
		return false
	}
	return !strings.Contains(string(body), `"`+base)
}
