package rules

import (
	"path"

	"github.com/mcpsf/mcpsf"
)

// strolled are the files of attacks that a tool reached in calls that did not ask
// for them: it goes through whole folders, and its argument has nothing to do
// with it.
type strolled map[walk]bool

type walk struct{ tool, path string }

func (w strolled) foresee(events []mcpsf.Event) {
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
		if e.File == nil || e.File.Error != "" || !marked[path.Clean(e.File.Path)] {
			continue
		}
		if c := calls[e.Call]; c != nil && c.Tool != "" && (c.Attack == nil || !c.Attack.Opens(e.File.Path)) {
			w[walk{c.Tool, path.Clean(e.File.Path)}] = true
		}
	}
}
