package rules

import "github.com/mcpsf/mcpsf"

// withoutTrials leaves out what happened in calls that were only made to find a
// shorter one. Their arguments are what is left of others by chance, and what a
// server makes of them says nothing of it. The shortest is made once more.
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
