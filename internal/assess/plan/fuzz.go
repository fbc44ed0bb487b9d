package plan

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
)

// slowTool is the maximum seconds of a call for its tool to be fuzzed: a tool
// that waits for something else looks like one that hangs.
const slowTool = 2.0

// FuzzTargets returns tools that answered quickly, with the arguments of that
// call; those that succeeded come first.
func FuzzTargets(s *mcpsf.Session, most int) []fuzz.Target {
	var list []fuzz.Target
	seen := map[string]bool{}
	add := func(c *mcpsf.Call) {
		if !seen[c.Tool] && len(list) < most {
			seen[c.Tool] = true
			list = append(list, fuzz.Target{Tool: c.Tool, Arguments: c.Arguments, Server: c.ServerValues.Inside("/arguments")})
		}
	}
	for _, status := range []mcpsf.CallStatus{mcpsf.CallOK, mcpsf.CallRefused} {
		for i := range s.Calls {
			if c := &s.Calls[i]; c.Method == "tools/call" && c.Status == status && c.Seconds < slowTool && c.Arguments != nil {
				add(c)
			}
		}
	}
	return list
}
