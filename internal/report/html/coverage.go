package html

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// coverageView is what the verdict is based on, and what was not covered.
type coverageView struct {
	Phases   []phaseView
	Facts    []fact
	Monitors []monitorView
	Limits   []limitView
	Gaps     []string
	Odd      []string
	// Tools says how far each tool was tried; MoreTools are in report.json only.
	Tools     []toolTried
	MoreTools int
	// Whole is false if events were lost.
	Whole bool
}

type phaseView struct {
	Name string
	Ran  bool
}

type monitorView struct {
	Name, Note string
	Alive      bool
}

type limitView struct {
	Name, Limit, HeldBy string
	Hit                 bool
}

// toolTried says how often a tool was called and attacked, and with what success.
type toolTried struct {
	Name                               string
	Called, Worked, Attacked, Answered int
	Reason, Help                       string
	// Sure is set if a call worked beyond doubt.
	Sure bool
}

// coverageSection shows the coverage.
type coverageSection struct{ *index }

func (b coverageSection) coverage() coverageView {
	c := b.Report.Coverage
	v := coverageView{Whole: c.Events.Complete && c.Events.Lost == 0 && c.Events.Produced == c.Events.Received}
	for _, phase := range []mcpsf.Phase{
		mcpsf.PhaseInspect, mcpsf.PhaseInstall, mcpsf.PhaseStart, mcpsf.PhaseDrive, mcpsf.PhaseAttack, mcpsf.PhaseIdle, mcpsf.PhaseStop,
	} {
		ran := false
		for _, p := range c.Phases {
			ran = ran || p == phase
		}
		v.Phases = append(v.Phases, phaseView{string(phase), ran})
	}
	add := b.adder(&v.Facts)
	add("calls", b.callTotals(c.Calls, c.Restarts), false)
	add("code", strings.Join(phrase.CodeRun(c.Code), ", "), false)
	add("events", b.eventTotals(c.Events), false)
	add("session", b.session(), false)
	add("sandbox", strings.TrimSpace(c.Sandbox.Engine+" "+c.Sandbox.Platform), false)
	add("network", c.Sandbox.Network, false)
	add("host user", c.Sandbox.User, false)
	add("cgroup", c.Sandbox.Cgroup, false)
	add("model", b.Consulted, false)
	for _, m := range firstOf(c.Monitors, maxReasons) {
		v.Monitors = append(v.Monitors, monitorView{b.line(m.Name, maxName), b.line(m.Note, maxLine), m.Alive})
	}
	for _, l := range firstOf(c.Limits, maxReasons) {
		v.Limits = append(v.Limits, limitView{
			b.line(l.Name, maxName), b.line(b.Amount(l.Limit, l.Unit), maxName), b.line(strings.ReplaceAll(l.HeldBy, "+", ", "), maxName), l.Hit,
		})
	}
	for _, g := range firstOf(c.Gaps, maxReasons) {
		v.Gaps = append(v.Gaps, b.line(sentence(g.Text), maxProse))
	}
	v.MoreTools = max(0, len(c.Tools)-maxTools)
	for _, t := range firstOf(c.Tools, maxTools) {
		v.Tools = append(v.Tools, toolTried{b.line(t.Name, maxName), t.Called, t.Worked, t.Attacked, t.Answered, b.line(t.Reason, maxLine), b.line(t.Help, maxLine), t.Worked > t.Doubtful})
	}
	for _, s := range firstOf(b.Report.Session.Irregularities, maxReasons) {
		v.Odd = append(v.Odd, b.line(s, maxLine))
	}
	return v
}

func (b coverageSection) callTotals(c mcpsf.CallTotals, restarts int) string {
	parts := []string{fmt.Sprintf("%d of %s reached", c.Reached, plural(c.Tools, "tool"))}
	for _, n := range []struct {
		count int
		word  string
	}{{c.OK, "ok"}, {c.Refused, "refused"}, {c.Timeout, "timed out"}, {c.Crashed, "crashed"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	if c.Resources > 0 {
		parts = append(parts, plural(c.Resources, "resource"))
	}
	if c.Prompts > 0 {
		parts = append(parts, plural(c.Prompts, "prompt"))
	}
	if restarts > 0 {
		parts = append(parts, fmt.Sprintf("started again %s after crashes", plural(restarts, "time")))
	}
	return strings.Join(parts, ", ")
}

func (b coverageSection) eventTotals(e mcpsf.EventTotals) string {
	s := fmt.Sprintf("%s produced, %s received, %s lost", thousands(e.Produced), thousands(e.Received), thousands(e.Lost))
	if !e.Complete {
		s += "; the stream ended in the middle"
	}
	return s
}

func (b coverageSection) session() string {
	s := b.Report.Session
	if !s.Initialized {
		return strings.TrimSpace("the server never answered initialize. " + s.Ending)
	}
	parts := []string{strings.TrimSpace(s.Name + " " + s.Version)}
	if s.Protocol != "" {
		parts = append(parts, "protocol "+s.Protocol)
	}
	parts = append(parts, "ready in "+b.Seconds(s.StartSeconds))
	if s.Closed != "" {
		parts = append(parts, "ended "+s.Closed)
	}
	if s.Ending != "" {
		parts = append(parts, s.Ending)
	}
	return strings.Join(parts, ", ")
}
