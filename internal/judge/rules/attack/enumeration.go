package attack

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Enumerated are the files of attacks that a tool reached in calls that did not ask
// for them: it goes through whole folders, and its argument has nothing to do
// with it.
type Enumerated map[enumeration]bool

// enumeration is that a tool came upon the file of an attack.
type enumeration struct{ tool, marker string }

// Foresee walks through all events twice: first for the files that attacks ask
// for, then for the calls that came upon them.
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

// markerOf is the marker that a path is, with or without an ending.
func markerOf(name string, marked map[string]bool) (string, bool) {
	name = path.Clean(name)
	if marked[name] {
		return name, true
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	return name, marked[name]
}
