package terminal

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// coverageIndent is the width of the labels in the coverage section.
const coverageIndent = 13

// maxGaps bounds the lists of what was not covered and of tools that never worked.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxGaps = 12

// coveragePart writes what the verdict covers.
type coveragePart struct{ *page }

// coverage writes what the verdict covers.
func (p coveragePart) coverage(r *mcpsf.Report) {
	c := r.Coverage
	p.heading("COVERAGE", "what this verdict rests on")
	p.inspection(r)
	if c.Static {
		p.facts("model", coverageIndent, phrase.Consulted(r.SecondOpinion))
		p.gaps(c.Gaps)
		return
	}
	p.facts("calls", coverageIndent, p.callFacts(c.Calls, c.Restarts))
	p.tools(c.Tools)
	p.facts("code", coverageIndent, phrase.CodeRun(c.Code))
	p.facts("session", coverageIndent, p.sessionFacts(r.Session))
	p.agents(r.Agents)
	p.payloads(r.Payloads)
	p.eventTotals(c.Events)
	p.monitors(c.Monitors)
	p.facts("sandbox", coverageIndent, p.sandboxFacts(c.Sandbox))
	p.limits(c.Limits)
	p.facts("model", coverageIndent, phrase.Consulted(r.SecondOpinion))
	p.gaps(c.Gaps)
}

// tools says why tools never worked, or not for sure, and what may help.
func (p coveragePart) tools(list []mcpsf.ToolCoverage) {
	var texts []string
	for _, t := range list {
		if t.Reason == "" {
			continue
		}
		text := t.Name + ": " + t.Reason
		if t.Help != "" {
			text += " (may help: " + t.Help + ")"
		}
		texts = append(texts, text)
	}
	p.points("not working", texts)
}

// agents says which agents used the server, and how much.
func (p coveragePart) agents(all []mcpsf.AgentRun) {
	for i := range all {
		p.facts("agent", coverageIndent, agentFacts(&all[i]))
	}
}

func agentFacts(a *mcpsf.AgentRun) []string {
	facts := []string{
		a.Agent, wording.Plural(int64(a.Tasks), "task"), wording.Plural(int64(a.Conversations), "conversation"), wording.Plural(int64(a.Calls), "call"),
	}
	if u := a.Usage; u != nil {
		facts = append(facts, phrase.Usage(u))
	}
	return facts
}

// payloads says which attack inputs a model proposed.
func (p coveragePart) payloads(r *mcpsf.PayloadRun) {
	if r == nil {
		return
	}
	facts := []string{
		r.Model, fmt.Sprintf("%d of %s answered", r.Tools-r.Unanswered, wording.Plural(int64(r.Tools), "tool")),
		fmt.Sprintf("%s proposed, %d left out", wording.Plural(int64(r.Proposed), "payload"), r.LeftOut), wording.Plural(int64(r.Calls), "call"),
	}
	if u := r.Usage; u != nil {
		facts = append(facts, phrase.Usage(u))
	}
	p.facts("payloads", coverageIndent, facts)
}

func (p coveragePart) gaps(list []mcpsf.Gap) {
	texts := make([]string, len(list))
	for i, g := range list {
		texts[i] = g.Text
	}
	p.points("not covered", texts)
}

// points lists texts behind one label, at most maxGaps of them.
func (p coveragePart) points(label string, texts []string) {
	for i, text := range texts {
		if i == maxGaps {
			text = fmt.Sprintf("and %d more in %s", len(texts)-i, phrase.ReportFile)
		}
		p.paragraph(dim(fmt.Sprintf("%-*s%s", coverageIndent, label, p.dot)), coverageIndent+2, roleText, text, 3)
		if i == maxGaps {
			return
		}
		label = ""
	}
}

func (p coveragePart) callFacts(c mcpsf.CallTotals, restarts int) []string {
	facts := []string{fmt.Sprintf("%d of %s called", c.Reached, wording.Plural(int64(c.Tools), "tool"))}
	for _, n := range []struct {
		count int
		word  string
	}{
		{c.OK, "ok"}, {c.Refused, "refused"}, {c.Timeout, "timed out"}, {c.Crashed, "crashed"},
	} {
		if n.count > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	if c.Resources > 0 {
		facts = append(facts, wording.Plural(int64(c.Resources), "resource"))
	}
	if c.Prompts > 0 {
		facts = append(facts, wording.Plural(int64(c.Prompts), "prompt"))
	}
	if restarts > 0 {
		facts = append(facts, fmt.Sprintf("started again %s after crashes", wording.Plural(int64(restarts), "time")))
	}
	return facts
}

func (p coveragePart) sessionFacts(s mcpsf.Session) []string {
	if !s.Initialized {
		facts := []string{"the server never answered initialize"}
		if s.Ending != "" {
			facts = append(facts, s.Ending)
		}
		return append(facts, s.Irregularities...)
	}
	facts := []string{"ready in " + wording.Seconds(s.StartSeconds)}
	if s.Closed != "" {
		facts = append(facts, "ended "+s.Closed)
	}
	if s.Ending != "" {
		facts = append(facts, s.Ending)
	}
	return append(facts, s.Irregularities...)
}

func (p coveragePart) eventTotals(e mcpsf.EventTotals) {
	r, state := roleGood, "none lost"
	if e.Lost != 0 || e.Produced != e.Received || !e.Complete {
		r, state = roleUnsure, fmt.Sprintf("%d lost of %d", e.Lost, e.Produced)
		if !e.Complete {
			state += ", the stream was cut off"
		}
	}
	seen := fmt.Sprintf("%d recorded, ", e.Received)
	head := []span{column(roleDim, coverageIndent, "events"), text(seen)}
	if p.fits(head, []span{text(state)}) {
		p.line(append(head, colored(r, state))...)
		return
	}
	p.paragraph(dim("events"), coverageIndent, r, seen+state, 3)
}

func (p coveragePart) monitors(all []mcpsf.MonitorStatus) {
	for i, m := range all {
		label, state := "", span{role: roleGood, text: p.ok}
		if i == 0 {
			label = "monitors"
		}
		if !m.Alive {
			state = span{role: roleUnsure, text: p.bad + " stopped early"}
		}
		p.line(column(roleDim, coverageIndent, label), text(m.Name+" "), state)
		if m.Note != "" {
			p.paragraph(text(""), coverageIndent+2, roleDim, m.Note, 4)
		}
	}
}

func (p coveragePart) sandboxFacts(s mcpsf.SandboxStatus) []string {
	var facts []string
	if engine := strings.TrimSpace(s.Engine + " " + s.Platform); engine != "" {
		facts = append(facts, engine)
	}
	for _, f := range []struct{ name, value string }{
		{"network", s.Network}, {"host user", s.User}, {"cgroup", s.Cgroup},
	} {
		if f.value != "" {
			facts = append(facts, f.name+" "+f.value)
		}
	}
	return facts
}

func (p coveragePart) limits(all []mcpsf.LimitStatus) {
	var facts []string
	for _, l := range all {
		fact := fmt.Sprintf("%s %s (%s)", l.Name, wording.Amount(l.Limit, l.Unit), l.HeldBy)
		if l.Hit {
			fact += " REACHED"
		}
		facts = append(facts, fact)
	}
	p.facts("limits", coverageIndent, facts)
}
