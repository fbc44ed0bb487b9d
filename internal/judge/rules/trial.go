package rules

import "github.com/mcpsf/mcpsf"

// withoutTrials removes the events of calls that were only made to shrink
// another call. Their arguments are arbitrary remains, so the server's behaviour
// on them means nothing. The shortest call is repeated as an ordinary one.
func withoutTrials(events []mcpsf.Event) []mcpsf.Event {
	trials := map[string]bool{}
	for i := range events {
		if d := events[i].MCP; d != nil && !d.FromServer && d.Attack != nil && d.Attack.Class == mcpsf.ClassShrink {
			trials[events[i].Call] = true
		}
	}
	if len(trials) == 0 {
		return events
	}
	var rest []mcpsf.Event
	for i := range events {
		if !trials[events[i].Call] {
			rest = append(rest, events[i])
		}
	}
	return rest
}
