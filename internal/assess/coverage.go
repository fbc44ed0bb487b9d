package assess

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// coverage states what was examined and what was not.
func coverage(p plan.Profile, n internet.Mode, d *detonation, seen []boxwatch.Observed, events []mcpsf.Event) mcpsf.Coverage {
	var totals mcpsf.EventTotals
	totals.Complete = true
	trouble, unsearched := "", ""
	var reached []mcpsf.Gap
	for _, o := range seen {
		reached = append(reached, o.Gaps...)
		if o.Received.Sleepers > 0 {
			reached = append(reached, gap.New(gap.TimersNotAwaited, 0, o.Received.Sleepers))
		}
		totals.Produced += int64(o.Kernel.Produced)
		totals.Received += int64(o.Received.Records)
		totals.Complete = totals.Complete && o.Kernel.Produced == o.Kernel.Committed && o.Received.Gaps == 0 && o.Received.Suppressed == 0
		if o.Trouble != "" {
			trouble = o.Trouble
		}
		if o.Unsearched {
			unsearched = "so much was said that not all of it was searched for planted secrets"
		}
	}
	totals.Lost = totals.Produced - totals.Received
	c := mcpsf.Coverage{
		Phases: phases(events),
		Events: totals,
		Monitors: []mcpsf.MonitorStatus{
			{Name: "kernel", Alive: trouble == "" && d.exit.Limit == "", Note: trouble},
			{Name: "mcp", Alive: true},
			{Name: "network", Alive: unsearched == "", Note: unsearched},
		},
		Limits:  limits(d, events),
		Calls:   calls(d.session),
		Tools:   toolCoverage(d.session, events),
		Texts:   d.texts,
		Sandbox: d.status,
		Gaps:    append(append(n.Gaps(), variableGap(d.received.Hooked > 0)), p.Gaps(n.RealTime(), d.linger)...),
	}
	c.Gaps = slices.Concat(c.Gaps, reached, unreadGaps(events), toolGaps(d.session, events))
	c.Sandbox.Network = n.String()
	if d.exit.Limit != "" && trouble == "" {
		c.Monitors[0].Note = "the sandbox's kernel itself was ended: it took too much " + d.exit.Limit
	}
	return c
}

// toolGaps counts the tools that were never called, in any session, and those
// that never answered with a result.
func toolGaps(s *mcpsf.Session, events []mcpsf.Event) []mcpsf.Gap {
	called, worked := map[string]bool{}, map[string]bool{}
	for i := range events {
		if m := events[i].MCP; m != nil && m.Tool != "" {
			called[m.Tool] = true
		}
	}
	for i := range s.Calls {
		c := &s.Calls[i]
		called[c.Tool] = true
		worked[c.Tool] = worked[c.Tool] || c.Status == mcpsf.CallOK
	}
	var uncalled, failed int64
	for i := range s.Tools {
		switch name := s.Tools[i].Name; {
		case !called[name]:
			uncalled++
		case !worked[name]:
			failed++
		}
	}
	var list []mcpsf.Gap
	if uncalled > 0 {
		list = append(list, gap.New(gap.ToolsNotCalled, int64(len(s.Tools)), uncalled))
	}
	if failed > 0 {
		list = append(list, gap.New(gap.ToolsFailed, int64(len(s.Tools)), failed))
	}
	return list
}

// variableGap says what is not known about environment variables.
func variableGap(told bool) mcpsf.Gap {
	if told {
		return gap.Detailed(gap.Variables, "environment variables that were read in another way than by the functions of Python and Node")
	}
	return gap.New(gap.Variables, 0, 0)
}

// phases lists the phases that occurred, in order.
func phases(events []mcpsf.Event) []mcpsf.Phase {
	seen := map[mcpsf.Phase]bool{}
	for i := range events {
		seen[events[i].Phase] = true
	}
	order := []mcpsf.Phase{
		mcpsf.PhaseInspect, mcpsf.PhaseInstall, mcpsf.PhaseStart, mcpsf.PhaseDrive, mcpsf.PhaseAttack, mcpsf.PhaseIdle, mcpsf.PhaseStop,
	}
	return slices.DeleteFunc(order, func(p mcpsf.Phase) bool { return !seen[p] })
}

func limits(d *detonation, events []mcpsf.Event) []mcpsf.LimitStatus {
	all := append(slices.Clone(d.limits),
		mcpsf.LimitStatus{Name: mcpsf.LimitOutput, Limit: maxOutput, Unit: "bytes per stream", HeldBy: "driver"},
		mcpsf.LimitStatus{Name: mcpsf.LimitWall, Limit: int64(d.wall.Seconds()), Unit: "seconds", HeldBy: "watchdog"},
	)
	for i := range events {
		if l := events[i].Limit; l != nil {
			for j := range all {
				all[j].Hit = all[j].Hit || all[j].Name == l.Name
			}
		}
	}
	return all
}

func calls(s *mcpsf.Session) mcpsf.CallTotals {
	t := mcpsf.CallTotals{Tools: len(s.Tools), Resources: len(s.Resources), Prompts: len(s.Prompts)}
	reached := map[string]bool{}
	for _, c := range s.Calls {
		if c.Tool != "" {
			reached[c.Tool] = true
		}
		switch c.Status {
		case mcpsf.CallOK:
			t.OK++
		case mcpsf.CallRefused:
			t.Refused++
		case mcpsf.CallTimeout:
			t.Timeout++
		case mcpsf.CallCrashed, mcpsf.CallGarbled:
			t.Crashed++
		}
	}
	for _, tool := range s.Tools {
		if reached[tool.Name] {
			t.Reached++
		}
	}
	return t
}
