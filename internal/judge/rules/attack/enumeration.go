package attack

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Enumerated are the attacked files that a tool also opened in calls that did
// not ask for them. Such a tool walks through whole folders, so opening the file
// does not prove that its argument was followed.
type Enumerated map[enumeration]bool

// enumeration is one tool that opened one attacked file without being asked.
type enumeration struct{ tool, marker string }

// Foresee reads all events twice: first for the files that attacks ask for, then
// for the calls that opened them.
func (w Enumerated) Foresee(events []mcpsf.Event) {
	marked := map[string]bool{}
	calls := map[string]*mcpsf.MCPDetail{}
	for i := range events {
		d := events[i].MCP
		if events[i].Kind != mcpsf.KindMCPRequest || d == nil || d.FromServer {
			continue
		}
		calls[events[i].Call] = d
		if a := d.Attack; a != nil && a.Sign == mcpsf.SignOpen && a.Marker != "" {
			marked[path.Clean(a.Marker)] = true
		}
	}
	for i := range events {
		e := &events[i]
		c := calls[e.Call]
		if e.File == nil || e.File.Error != "" || c == nil || c.Tool == "" || c.Attack != nil && c.Attack.Opens(e.File.Path) {
			continue
		}
		if marker, ok := markerOf(e.File.Path, marked); ok {
			w[enumeration{c.Tool, marker}] = true
		}
	}
}

// markerOf returns the marker that a file name equals, with or without an extension.
func markerOf(name string, marked map[string]bool) (string, bool) {
	name = path.Clean(name)
	if marked[name] {
		return name, true
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	return name, marked[name]
}
