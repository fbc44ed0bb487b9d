package terminal

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The columns of the timeline. The column of processes is as wide as their
// names, up to a limit, and is left out on a narrow page.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	timeWidth    = 7
	verbWidth    = 9
	maxProcWidth = 17
	narrow       = 60
)

// timelinePart writes what happened, by call.
type timelinePart struct{ *page }

// events writes what happened, grouped by the call that caused it.
func (p timelinePart) events(r *mcpsf.Report, events []mcpsf.Event) {
	if len(events) == 0 {
		return
	}
	p.heading("TIMELINE", wording.Plural(int64(len(events)), "event"))
	calls := digest.Calls(r)
	all := digest.Groups(events, r.Findings)
	proc := p.processWidth(all)
	runs, hidden := digest.ShownRuns(all, calls)
	for _, run := range runs {
		if len(run) > 1 {
			p.run(run, calls)
			continue
		}
		p.group(run[0], calls[run[0].Call], r, proc)
	}
	if hidden > 0 {
		p.line(dim(fmt.Sprintf("%s %s with nothing new: see %s", p.ellipsis, wording.Plural(int64(hidden), "more call"), phrase.EventsFile)))
	}
}

func (p timelinePart) group(g *digest.Group, call *mcpsf.Call, r *mcpsf.Report, proc int) {
	title, right := p.title(g, call), p.outcome(g, call, r)
	if len(g.Rows) == 0 && digest.AsPlanned(call) {
		noted := append([]span{dim(wording.Plural(g.Total, "event") + ", nothing unusual  ")}, right...)
		if p.fits(title, noted) {
			right = noted
		}
	}
	p.between(title, right)
	if len(g.Rows) == 0 {
		return
	}
	for _, row := range g.Rows {
		p.row(row, proc)
	}
	p.folded(g)
}

// folded counts what a group does not show.
func (p timelinePart) folded(g *digest.Group) {
	var rest []string
	for _, t := range g.Folded {
		if t.What != digest.Unspoken {
			rest = append(rest, p.safe(wording.Counted(t.Count, t.What))+",")
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
func (p timelinePart) title(g *digest.Group, call *mcpsf.Call) []span {
	if g.Call == "" {
		return []span{strong(string(g.Phase))}
	}
	method, tool := g.Asked(call)
	if tool == "" {
		return []span{dim(g.Call + " "), strong(method)}
	}
	return []span{dim(g.Call + " " + method + " "), strong(tool)}
}

// outcome says how a group ended.
func (p timelinePart) outcome(g *digest.Group, call *mcpsf.Call, r *mcpsf.Report) []span {
	switch {
	case call != nil:
		return []span{colored(statusRole(call.Status), string(call.Status)), dim(" " + wording.Seconds(call.Seconds))}
	case g.Call == "" && g.Phase == mcpsf.PhaseStart && r.Session.Initialized:
		return []span{dim("ready in " + wording.Seconds(r.Session.StartSeconds))}
	case g.Call == "" && g.Phase == mcpsf.PhaseStop && r.Session.Closed != "":
		return []span{dim(r.Session.Closed)}
	}
	return nil
}

func (p timelinePart) row(r digest.Row, proc int) {
	e := r.Event
	verb, what := phrase.Event(e)
	mark, body, tail := span{text: " "}, roleText, ""
	if r.Severity != "" {
		body = severityRole(r.Severity)
		mark = colored(body, p.mark)
		tail = fmt.Sprintf(" #%d", e.Seq)
	}
	if r.Count > 1 {
		tail = fmt.Sprintf(" %s%d", p.times, r.Count) + tail
	}
	if e.Phase == mcpsf.PhaseIdle {
		tail = " (late)" + tail
	}
	at := ""
	if !r.Timeless {
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

// process names the process, in at most width cells.
func (p timelinePart) process(e *mcpsf.Event, width int) string {
	name := p.safe(e.Proc)
	if e.PID == 0 {
		return p.cut(name, width)
	}
	pid := fmt.Sprintf("[%d]", e.PID)
	return p.cut(name, width-len(pid)) + pid
}

// processWidth is the width of the process names, 0 for no column.
func (p timelinePart) processWidth(all []*digest.Group) int {
	if p.width < narrow {
		return 0
	}
	width := 0
	for _, g := range all {
		for _, r := range g.Rows {
			width = max(width, ansi.StringWidth(p.process(r.Event, maxProcWidth)))
		}
	}
	return min(width, maxProcWidth)
}
