package verdict

import (
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// missing says what had to be covered and was not.
func missing(c *mcpsf.Coverage, s *mcpsf.Session) []string {
	var reasons []string
	add := func(missed bool, format string, args ...any) {
		if missed {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	add(c.Events.Lost > 0, "%d events were lost", c.Events.Lost)
	add(c.Events.Lost <= 0 && c.Events.Produced != c.Events.Received,
		"%d events were produced but %d arrived", c.Events.Produced, c.Events.Received)
	add(!c.Events.Complete, "the event log is cut off")
	add(len(c.Monitors) == 0, "no monitor reported that it ran")
	for _, m := range c.Monitors {
		add(!m.Alive, "the monitor %q did not run to the end", m.Name)
	}
	for _, l := range c.Limits {
		add(l.Hit && l.Name == mcpsf.LimitWall, "the time limit ended the run")
	}
	if !s.Initialized && s.Closed == "" && s.Ending != "" {
		return append(reasons, s.Ending)
	}
	if !s.Initialized {
		return append(reasons, "the server never answered initialize, so nothing could be called")
	}
	add(!slices.Contains(c.Phases, mcpsf.PhaseDrive), "the run ended before anything was called")
	return append(reasons, uncalled(c.Calls, s.Calls)...)
}

// uncalled says which part of what the server offers was not called.
func uncalled(t mcpsf.CallTotals, calls []mcpsf.Call) []string {
	switch {
	case t.Tools+t.Resources+t.Prompts == 0:
		return []string{"the server listed no tools, resources or prompts, so only its start was covered"}
	case t.Reached < t.Tools:
		return []string{fmt.Sprintf("only %d of %d tools were called", t.Reached, t.Tools)}
	case t.Tools > 0 && !slices.ContainsFunc(calls, answered):
		return []string{"no tool call was answered"}
	case t.Tools > 0 && !slices.ContainsFunc(calls, worked):
		return []string{"every tool rejected its inputs"}
	}
	return nil
}
