package report

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
)

// How many groups are shown that prove nothing: those with something to show,
// and those in which nothing stood out.
const (
	maxLoud  = 30
	maxQuiet = 12
)

// The columns of the timeline.
const (
	timeWidth = 7
	procWidth = 10
	verbWidth = 9
)

// events writes what happened, grouped by the call that caused it.
func (p *page) events(r *mcpsf.Report, events []mcpsf.Event) {
	if len(events) == 0 {
		return
	}
	p.heading("TIMELINE", plural(int64(len(events)), "event"))
	calls := make(map[string]*mcpsf.Call, len(r.Session.Calls))
	for i := range r.Session.Calls {
		calls[r.Session.Calls[i].ID] = &r.Session.Calls[i]
	}
	loud, still, hidden := 0, 0, 0
	for _, g := range groups(events, r.Findings) {
		switch {
		case g.evidence:
		case len(g.rows) > 0:
			loud++
		default:
			still++
		}
		if !g.evidence && (len(g.rows) > 0 && loud > maxLoud || len(g.rows) == 0 && still > maxQuiet) {
			hidden++
			continue
		}
		p.group(g, calls[g.call], r)
	}
	if hidden > 0 {
		p.line(dim(fmt.Sprintf("%s %s without evidence in %s", p.ellipsis, plural(int64(hidden), "more call"), EventsName)))
	}
}

func (p *page) group(g *group, call *mcpsf.Call, r *mcpsf.Report) {
	right := p.outcome(g, call, r)
	if len(g.rows) == 0 {
		right = append([]span{dim(plural(g.total, "event") + ", nothing unusual  ")}, right...)
	}
	p.between(p.title(g, call), right)
	if len(g.rows) == 0 {
		return
	}
	for _, row := range g.rows {
		p.row(row)
	}
	var rest []string
	for _, t := range g.folded {
		if t.what != unspoken {
			rest = append(rest, counted(t.count, t.what))
		}
	}
	if len(rest) > 0 {
		s := p.ellipsis + " and " + strings.Join(rest, ", ")
		p.paragraph(text(""), timeWidth+4, roleDim, s, 2)
	}
}

// title names a group: the call and its tool, or the phase.
func (p *page) title(g *group, call *mcpsf.Call) []span {
	if g.call == "" {
		return []span{strong(string(g.phase))}
	}
	var method, tool string
	switch {
	case call != nil:
		method, tool = call.Method, call.Tool
	case g.request != nil:
		method, tool = g.request.Method, g.request.Tool
	}
	if tool == "" {
		return []span{dim(g.call + " "), strong(method)}
	}
	return []span{dim(g.call + " " + method + " "), strong(tool)}
}

// outcome says how a group ended.
func (p *page) outcome(g *group, call *mcpsf.Call, r *mcpsf.Report) []span {
	switch {
	case call != nil:
		return []span{colored(statusRole(call.Status), string(call.Status)), dim(" " + seconds(call.Seconds))}
	case g.call == "" && g.phase == mcpsf.PhaseStart && r.Session.Initialized:
		return []span{dim("ready in " + seconds(r.Session.StartSeconds))}
	case g.call == "" && g.phase == mcpsf.PhaseStop && r.Session.Closed != "":
		return []span{dim(r.Session.Closed)}
	}
	return nil
}

func (p *page) row(r row) {
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
	room := p.width - 2 - timeWidth - 2 - procWidth - 1 - verbWidth - ansi.StringWidth(tail)
	p.line(
		mark, text(" "),
		column(roleDim, timeWidth+2, fmt.Sprintf("%*.3f", timeWidth, e.T)),
		column(roleDim, procWidth+1, p.process(e)),
		column(body, verbWidth, verb),
		colored(body, p.middle(what, room)),
		dim(tail),
	)
}

// process names who did it, in at most procWidth cells.
func (p *page) process(e *mcpsf.Event) string {
	name := clean(e.Proc, p.ascii)
	if e.PID == 0 {
		return name
	}
	pid := fmt.Sprintf("[%d]", e.PID)
	return p.cut(name, procWidth-len(pid)) + pid
}
