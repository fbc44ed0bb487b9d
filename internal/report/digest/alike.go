package digest

import (
	"github.com/mcpsf/mcpsf"
)

// minRun is how many similar calls in a row become one line.
const minRun = 3

// alikeCalls returns how many groups at the beginning of all are calls of the same
// method in which nothing stood out, if there are at least minRun, and otherwise 1.
// Tool calls are never joined, because each tool runs different code.
func alikeCalls(all []*Group, calls map[string]*mcpsf.Call) int {
	method, _ := all[0].Asked(calls[all[0].Call])
	n := 0
	for n < len(all) && all[n].Call != "" && len(all[n].proves) == 0 && len(all[n].Rows) == 0 {
		call := calls[all[n].Call]
		m, tool := all[n].Asked(call)
		if !AsPlanned(call) || m != method || tool != "" || m == "tools/call" || m == "" {
			break
		}
		n++
	}
	if n < minRun {
		return 1
	}
	return n
}

// AsPlanned reports whether a call ended in a way that needs no attention.
func AsPlanned(call *mcpsf.Call) bool {
	return call == nil || call.Status == mcpsf.CallOK || call.Status == mcpsf.CallRefused
}

// Asked returns the method and tool of the group's call.
func (g *Group) Asked(call *mcpsf.Call) (method, tool string) {
	switch {
	case call != nil:
		return call.Method, call.Tool
	case g.request != nil:
		return g.request.Method, g.request.Tool
	}
	return "", ""
}
