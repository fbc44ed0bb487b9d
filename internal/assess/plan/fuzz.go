package plan

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
)

// slowTool is how many seconds a call may take for its tool to be fuzzed: a tool that waits
// for something else does not hang.
const slowTool = 2.0

// FuzzTargets are tools that answered soon, with what they were called with; those that
// answered well come first.
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
