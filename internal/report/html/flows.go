package html

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// maxRoles bounds the table of roles.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxRoles = 60

// flowsView is the combination of untrusted input, private data and a way out in one server.
type flowsView struct {
	Level, Meaning string
	Map            flowMap
	Rows           []flowRow
	More           int
	// NotCovered are caveats.
	NotCovered []string
}

// flowRow is a role of a tool, and the reason.
type flowRow struct {
	Role, Tool, Level, Why string
	Event                  int64
	Linked                 bool
}

// flowMap has inputs on the left, the agent in the middle and ways out on the
// right.
type flowMap struct {
	Left, Right []place
	Lines       []flowLine
	Height      int
	// Top and Bottom are the ends of the agent's box.
	Top, Bottom int
	More        int
}

// flowLine runs from X1 to X2, in hundredths of the width.
type flowLine struct {
	X1, Y1, Bend, X2, Y2 int
	Width                int
	State                string
	Declared             bool
}

// flowsSection shows the toxic flows of the server.
type flowsSection struct{ *index }

// flows returns nil if there are none.
func (b flowsSection) flows() *flowsView {
	if b.Flows == nil || len(b.Flows.Flows) == 0 {
		return nil
	}
	level := b.Flows.Flows[0].Level
	view := &flowsView{Level: string(level), Meaning: level.Meaning(), Map: b.drawFlows()}
	for _, role := range flows.Roles() {
		for i := range b.Flows.Tools {
			if tr := b.Flows.Tools[i].Best(role); tr != nil {
				b.flowRow(view, &b.Flows.Tools[i], tr)
			}
		}
	}
	for _, s := range b.Flows.Servers {
		for _, caveat := range s.Caveats {
			view.NotCovered = append(view.NotCovered, b.line(caveat, maxProse))
		}
	}
	return view
}

func (b flowsSection) flowRow(view *flowsView, t *flows.Tool, tr *flows.Trait) {
	if len(view.Rows) == maxRoles {
		view.More++
		return
	}
	e := tr.Evidence[0]
	view.Rows = append(view.Rows, flowRow{
		Role: tr.Role.Words(), Tool: b.flowTool(t), Level: string(tr.Level), Why: b.line(e.Why, maxLine), Event: e.Event, Linked: b.shown[e.Event],
	})
}

func (b flowsSection) flowTool(t *flows.Tool) string {
	if t.Name == "" {
		return "without a tool"
	}
	return b.line(t.Name, maxName)
}

// drawFlows places the tools in the order they are listed.
func (b flowsSection) drawFlows() flowMap {
	var m flowMap
	type side struct {
		row  int
		tool *flows.Tool
	}
	var left, right []side
	for i := range b.Flows.Tools {
		t := &b.Flows.Tools[i]
		var in []string
		for _, role := range []flows.Role{flows.Untrusted, flows.Private} {
			if t.Level(role) != "" {
				in = append(in, role.Words())
			}
		}
		out := t.Level(flows.Out)
		if len(in) > 0 && len(m.Left) == maxPeers || out != "" && len(m.Right) == maxPeers {
			m.More++
			continue
		}
		if len(in) > 0 {
			left = append(left, side{len(m.Left), t})
			m.Left = append(m.Left, place{b.flowTool(t), strings.Join(in, ", ")})
		}
		if out != "" {
			right = append(right, side{len(m.Right), t})
			m.Right = append(m.Right, place{b.flowTool(t), flows.Out.Words() + ", " + string(out)})
		}
	}
	m.Height = max(len(m.Left), len(m.Right)) * rowHeight
	middle := m.Height / 2
	m.Top, m.Bottom = middle-rowHeight/4, middle+rowHeight/4
	for _, s := range left {
		at := s.row*rowHeight + rowHeight/2
		for n, role := range []flows.Role{flows.Untrusted, flows.Private} {
			if l := s.tool.Level(role); l != "" { // side by side if it has both
				m.Lines = append(m.Lines, newFlowLine(0, at+4*n, 50, middle+4*n, role, l))
			}
		}
	}
	for _, s := range right {
		m.Lines = append(m.Lines, newFlowLine(50, middle, 100, s.row*rowHeight+rowHeight/2, flows.Out, s.tool.Level(flows.Out)))
	}
	return m
}

func newFlowLine(x1, y1, x2, y2 int, role flows.Role, level flows.Level) flowLine {
	l := flowLine{X1: x1, Y1: y1, Bend: (x1 + x2) / 2, X2: x2, Y2: y2, Width: 2, State: string(role), Declared: level == flows.Declared}
	if level == flows.Open {
		l.Width = 4
	}
	return l
}
