package plan

import (
	"encoding/json"

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
	add := func(tool string, arguments json.RawMessage) {
		if !seen[tool] && len(list) < most {
			seen[tool] = true
			list = append(list, fuzz.Target{Tool: tool, Arguments: arguments})
		}
	}
	for _, status := range []mcpsf.CallStatus{mcpsf.CallOK, mcpsf.CallRefused} {
		for _, c := range s.Calls {
			if c.Method == "tools/call" && c.Status == status && c.Seconds < slowTool && c.Arguments != nil {
				add(c.Tool, c.Arguments)
			}
		}
	}
	return list
}
