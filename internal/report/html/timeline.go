package html

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the timeline, beyond those of its groups.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxGroups = 150
	maxRows   = 1500
	maxOpen   = 3
)

type timelineView struct {
	Chart  chart
	Groups []groupView
	Hidden int
	Kinds  []string
	// Extent says how many of the events are in the page.
	Extent string
}

// groupView is a call or a phase with what it did.
type groupView struct {
	// Name is the call's id, or those of a run; Title is the method.
	Name, Title string
	// Of is the tool or resource that was called, Attack the attack that was made.
	Of, Attack string
	Status     string
	Note       string
	Level      string
	Rows       []eventView
	Folded     string
	Total      int64
	// Open shows the rows from the start.
	Open bool
}

// timelineSection shows what happened, by call.
type timelineSection struct{ *index }

func (b timelineSection) timeline() timelineView {
	view := timelineView{Hidden: b.Hidden, Chart: b.activity(), Kinds: kindNames()}
	open, rows := 0, 0
	for i := range b.Groups {
		if rows += len(b.Groups[i].Rows); i == maxGroups || rows > maxRows {
			view.Hidden += len(b.Groups) - i
			break
		}
		g := b.group(&b.Groups[i])
		if g.Level != "" && open < maxOpen { // the first proofs are what the reader looks for
			g.Open = true
			open++
		}
		view.Groups = append(view.Groups, g)
	}
	return view
}

func (b timelineSection) group(g *Group) groupView {
	v := groupView{Title: b.line(sentence(string(g.Phase)), maxName), Total: g.Total}
	if g.Call != "" {
		c := b.call(g.Call)
		v.Name, v.Title, v.Attack = b.line(g.Call, 60), b.line(cmp.Or(c.method, "a message without a method"), maxName), b.line(c.attack, 60)
		if c.tool != "" {
			v.Title, v.Of = b.line(c.tool, maxName), v.Title
		}
		v.Status, v.Note = b.outcome(c)
		if g.Last != "" {
			v.Name += "–" + b.line(g.Last, 60)
			v.Status = ""
		}
	}
	if g.Call == "" {
		v.Note = b.phaseNote(g.Phase)
	}
	for _, r := range g.Rows {
		e := b.event(r.Event)
		e.Count = 0
		if r.Count > 1 {
			e.Count = r.Count
		}
		if r.Timeless {
			e.Time = ""
		}
		e.Linked = b.shown[e.Seq]
		v.Level = moreSevere(v.Level, e.Level)
		v.Rows = append(v.Rows, e)
	}
	for i, s := range g.Folded {
		if i > 0 {
			v.Folded += ", "
		}
		v.Folded += b.line(s, maxName)
	}
	return v
}

// outcome says how a call ended.
func (b *index) outcome(c *call) (status, note string) {
	if c.status == "" {
		return "no answer", ""
	}
	return b.line(string(c.status), 40), b.Seconds(c.seconds)
}

func (b timelineSection) phaseNote(phase mcpsf.Phase) string {
	s := b.Report.Session
	switch {
	case phase == mcpsf.PhaseStart && s.Initialized:
		return "ready in " + b.Seconds(s.StartSeconds)
	case phase == mcpsf.PhaseStop && s.Closed != "":
		return b.line(s.Closed, maxName)
	}
	return ""
}

// levels are the names of severities in the style.
func levels() []string { return []string{"info", "low", "medium", "high", "critical"} }

// moreSevere returns the more severe of two levels.
func moreSevere(a, b string) string {
	for _, level := range slices.Backward(levels()) {
		if a == level || b == level {
			return level
		}
	}
	return ""
}

// kindNames are the groups of events, in the order of the page.
func kindNames() []string {
	return []string{"Messages", "Processes", "Files", "Variables", "Network", "Secrets", "Sandbox"}
}

// kindOf returns the index of an event's group in [kindNames].
func kindOf(e *mcpsf.Event) int {
	family, _, _ := strings.Cut(string(e.Kind), ".")
	switch family {
	case "mcp", "remote":
		return 0
	case "process":
		return 1
	case "file", "archive":
		return 2
	case "env":
		return 3
	case "net":
		return 4
	case "canary", "exec":
		return 5
	}
	return 6
}
