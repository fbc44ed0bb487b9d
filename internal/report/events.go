package report

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// How many groups are shown that prove nothing: those with something to show,
// and those in which nothing stood out.
const (
	maxLoud  = 30
	maxQuiet = 12
)

// The columns of the timeline. That of the process is as wide as the names
// need, within reason, and goes where the page is narrow.
const (
	timeWidth    = 7
	verbWidth    = 9
	maxProcWidth = 17
	narrow       = 60
)

// events writes what happened, grouped by the call that caused it.
func (p *page) events(r *mcpsf.Report, events []mcpsf.Event) {
	if len(events) == 0 {
		return
	}
	p.heading("TIMELINE", wording.Plural(int64(len(events)), "event"))
	calls := callsOf(r)
	all := groups(events, r.Findings)
	proc := p.processWidth(all)
	runs, hidden := shownRuns(all, calls)
	for _, run := range runs {
		if len(run) > 1 {
			p.run(run, calls)
			continue
		}
		p.group(run[0], calls[run[0].call], r, proc)
	}
	if hidden > 0 {
		p.line(dim(fmt.Sprintf("%s %s with nothing new: see %s", p.ellipsis, wording.Plural(int64(hidden), "more call"), EventsName)))
	}
}

// callsOf are the calls by their ids.
func callsOf(r *mcpsf.Report) map[string]*mcpsf.Call {
	calls := make(map[string]*mcpsf.Call, len(r.Session.Calls))
	for i := range r.Session.Calls {
		calls[r.Session.Calls[i].ID] = &r.Session.Calls[i]
	}
	return calls
}

// shownRuns chooses the groups that are shown, alike ones together, and counts
// the others.
func shownRuns(all []*group, calls map[string]*mcpsf.Call) (runs [][]*group, hidden int) {
	seen := &shown{findings: map[int]bool{}, calls: map[string]bool{}}
	for len(all) > 0 {
		n := alikeCalls(all, calls)
		if seen.worth(all[0]) {
			runs = append(runs, all[:n])
		} else {
			hidden += n
		}
		all = all[n:]
	}
	return runs, hidden
}

// shown is what the reader has seen of the timeline.
type shown struct {
	// findings are those whose proof was shown.
	findings map[int]bool
	// calls are the methods and tools that were.
	calls       map[string]bool
	loud, still int
}

// worth tells whether a group is shown: it proves what was not proved above, or
// it is one of the first and no such call was shown. The many calls that were
// attacks and came to nothing are none of those.
func (s *shown) worth(g *group) bool {
	before := len(s.findings)
	for finding := range g.proves {
		s.findings[finding] = true
	}
	again := false
	if g.request != nil {
		name := g.request.Method + " " + g.request.Tool
		again = g.request.Attack != nil || s.calls[name]
		s.calls[name] = s.calls[name] || g.request.Attack == nil
	}
	switch {
	case len(s.findings) > before:
		return true
	case again:
		return false
	case len(g.rows) == 0:
		s.still++
		return s.still <= maxQuiet
	}
	s.loud++
	return s.loud <= maxLoud
}

func (p *page) group(g *group, call *mcpsf.Call, r *mcpsf.Report, proc int) {
	title, right := p.title(g, call), p.outcome(g, call, r)
	if len(g.rows) == 0 && asPlanned(call) {
		noted := append([]span{dim(wording.Plural(g.total, "event") + ", nothing unusual  ")}, right...)
		if p.fits(title, noted) {
			right = noted
		}
	}
	p.between(title, right)
	if len(g.rows) == 0 {
		return
	}
	for _, row := range g.rows {
		p.row(row, proc)
	}
	p.folded(g)
}

// folded counts what a group does not show.
func (p *page) folded(g *group) {
	var rest []string
	for _, t := range g.folded {
		if t.what != unspoken {
			rest = append(rest, p.safe(wording.Counted(t.count, t.what))+",")
		}
	}
	if len(rest) == 0 {
		return
	}
	rest[0] = p.ellipsis + " and " + rest[0]
	rest[len(rest)-1] = strings.TrimSuffix(rest[len(rest)-1], ",")
	p.hang(text(""), timeWidth+4, roleDim, p.wrap(rest, p.width-timeWidth-4, 4))
}

// title names a group: the call and its tool, or the phase.
func (p *page) title(g *group, call *mcpsf.Call) []span {
	if g.call == "" {
		return []span{strong(string(g.phase))}
	}
	method, tool := g.asked(call)
	if tool == "" {
		return []span{dim(g.call + " "), strong(method)}
	}
	return []span{dim(g.call + " " + method + " "), strong(tool)}
}

// outcome says how a group ended.
func (p *page) outcome(g *group, call *mcpsf.Call, r *mcpsf.Report) []span {
	switch {
	case call != nil:
		return []span{colored(statusRole(call.Status), string(call.Status)), dim(" " + wording.Seconds(call.Seconds))}
	case g.call == "" && g.phase == mcpsf.PhaseStart && r.Session.Initialized:
		return []span{dim("ready in " + wording.Seconds(r.Session.StartSeconds))}
	case g.call == "" && g.phase == mcpsf.PhaseStop && r.Session.Closed != "":
		return []span{dim(r.Session.Closed)}
	}
	return nil
}

func (p *page) row(r row, proc int) {
	e := r.event
	verb, what := describe(e)
	mark, body, tail := span{text: " "}, roleText, ""
	if r.severity != "" {
		body = severityRole(r.severity)
		mark = colored(body, p.mark)
		tail = fmt.Sprintf(" #%d", e.Seq)
	}
	if r.count > 1 {
		tail = fmt.Sprintf(" %s%d", p.times, r.count) + tail
	}
	if e.Phase == mcpsf.PhaseIdle {
		tail = " (late)" + tail
	}
	at := ""
	if !r.timeless {
		at = fmt.Sprintf("%*.3f", timeWidth, e.T)
	}
	line := []span{mark, text(" "), column(roleDim, timeWidth+2, at)}
	if proc > 0 {
		line = append(line, column(roleDim, proc+2, p.process(e, proc)))
	}
	line = append(line, column(body, verbWidth, verb))
	room := p.width - p.measure(line) - ansi.StringWidth(tail)
	p.line(append(line, colored(body, p.middle(what, room)), dim(tail))...)
}

// process names who did it, in at most width cells.
func (p *page) process(e *mcpsf.Event, width int) string {
	name := p.safe(e.Proc)
	if e.PID == 0 {
		return p.cut(name, width)
	}
	pid := fmt.Sprintf("[%d]", e.PID)
	return p.cut(name, width-len(pid)) + pid
}

// processWidth is what the names of the processes need, 0 for no column.
func (p *page) processWidth(all []*group) int {
	if p.width < narrow {
		return 0
	}
	width := 0
	for _, g := range all {
		for _, r := range g.rows {
			width = max(width, ansi.StringWidth(p.process(r.event, maxProcWidth)))
		}
	}
	return min(width, maxProcWidth)
}
