package flowchart

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/judge/flows"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Bounds of the text. JSON has everything.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	width     = 80
	maxFlows  = 20
	maxGroups = 8
	maxRows   = 60
	maxNotes  = 40
	// column is the width of the column of roles.
	column = 18
)

func (c *chart) text(buf *bytes.Buffer) {
	put(buf, "", c.verdict())
	for i := range c.Flows {
		if i == maxFlows {
			fmt.Fprintf(buf, "\nand %d more; --format json has them\n", len(c.Flows)-i+c.MoreFlows)
			break
		}
		c.flowText(buf, i+1, &c.Flows[i])
	}
	c.serverRows(buf)
	c.notes(buf)
}

func (c *chart) flowText(buf *bytes.Buffer, n int, f *flows.Flow) {
	buf.WriteByte('\n')
	put(buf, fmt.Sprintf("%d. ", n), fmt.Sprintf("%s: %s", strings.ToUpper(string(f.Level)), c.title(f)))
	put(buf, "   ", f.Level.Meaning())
	buf.WriteByte('\n')
	for _, leg := range f.Legs {
		head := leg.Role.Words()
		groups := c.groups(&leg)
		for i, g := range groups {
			if i == maxGroups {
				item(buf, head, fmt.Sprintf("and %d more groups of tools", len(groups)-i))
				break
			}
			item(buf, head, g.line())
			item(buf, "", "- "+g.why())
			head = ""
		}
	}
	if len(f.AtStake) > 0 {
		item(buf, "also at stake", "private data of "+c.names(f.AtStake, "and"))
	}
	if f.Triples > 1 {
		item(buf, "in all", fmt.Sprintf("%d ways to combine these tools", f.Triples))
	}
}

// group is the tools of one server that have a role of the same kind.
type group struct {
	server *flows.Server
	role   flows.Role
	trait  *flows.Trait // of the first tool
	tools  []*flows.Tool
}

// groups joins the tools of a leg by server and kind.
func (c *chart) groups(leg *flows.Leg) []*group {
	type key struct {
		server string
		kind   flows.Kind
		level  flows.Level
	}
	var list []*group
	index := map[key]*group{}
	for _, id := range leg.Tools {
		t := c.tools[id]
		best := t.Best(leg.Role)
		k := key{t.Server, best.Kind, best.Level}
		if index[k] == nil {
			index[k] = &group{server: c.servers[t.Server], role: leg.Role, trait: best}
			list = append(list, index[k])
		}
		index[k].tools = append(index[k].tools, t)
	}
	return list
}

// line names the tools.
func (g *group) line() string {
	var names []string
	for i, t := range g.tools {
		if i == maxListed {
			names = append(names, fmt.Sprintf("%d more", len(g.tools)-i))
			break
		}
		names = append(names, toolName(t))
	}
	return name(g.server.Name) + ": " + strings.Join(names, ", ")
}

// why returns the first reason of the first tool.
func (g *group) why() string {
	e := g.trait.Evidence[0]
	s := cut(e.Why, 300)
	switch {
	case e.Finding != "" && e.Event > 0:
		s += fmt.Sprintf(" (%s, event %d)", name(e.Finding), e.Event)
	case e.Event > 0:
		s += fmt.Sprintf(" (event %d)", e.Event)
	}
	return s
}

// serverRows counts the tools of each server by role.
func (c *chart) serverRows(buf *bytes.Buffer) {
	if len(c.Servers) == 0 {
		return
	}
	count := map[string]*[3]int{}
	for i := range c.Tools {
		t := &c.Tools[i]
		if count[t.Server] == nil {
			count[t.Server] = &[3]int{}
		}
		for r, role := range flows.Roles() {
			if t.Level(role) != "" {
				count[t.Server][r]++
			}
		}
	}
	const wide = 32
	row := func(name, tools, untrusted, private, out, unseen any) {
		fmt.Fprintf(buf, "%s %7v %10v %8v %6v %9v\n", pad(fmt.Sprint(name), wide), tools, untrusted, private, out, unseen)
	}
	buf.WriteByte('\n')
	row("server", "tools", "untrusted", "private", "out", "untested")
	for i, s := range c.Servers {
		if i == maxRows {
			fmt.Fprintf(buf, "and %d more\n", len(c.Servers)-i)
			return
		}
		switch n := count[s.ID]; {
		case s.Missing != "":
			row(cut(s.Name, wide), "?", "?", "?", "?", "?")
		case n == nil:
			row(cut(s.Name, wide), s.Tools, 0, 0, 0, s.Unseen)
		default:
			row(cut(s.Name, wide), s.Tools, n[0], n[1], n[2], s.Unseen)
		}
	}
}

// notes say what is not known.
func (c *chart) notes(buf *bytes.Buffer) {
	notes := c.caveats()
	if len(notes) == 0 {
		return
	}
	buf.WriteString("\nWhat is not known:\n")
	for i, s := range notes {
		if i == maxNotes {
			fmt.Fprintf(buf, "  and %d more\n", len(notes)-i)
			return
		}
		put(buf, "  ", s)
	}
}

// caveats returns those of the servers, each with its name, then the common ones.
func (c *chart) caveats() []string {
	var list []string
	for _, s := range c.Servers {
		if s.Missing != "" {
			list = append(list, name(s.Name)+": "+cut(s.Missing, 300)+".")
		}
		for _, text := range s.Caveats {
			list = append(list, name(s.Name)+": "+strings.TrimSuffix(cut(text, 300), ".")+c.unseen(&s, text)+".")
		}
	}
	for _, text := range c.Caveats {
		list = append(list, cut(text, 300))
	}
	return list
}

// unseen appends the names of the tools that never answered to the sentence that
// counts them.
func (c *chart) unseen(s *flows.Server, text string) string {
	if !strings.Contains(text, "not seen to work") {
		return ""
	}
	var names []string
	for i := range c.Tools {
		t := &c.Tools[i]
		if t.Server != s.ID || t.State == flows.StateSeen {
			continue
		}
		if len(names) == maxListed {
			names = append(names, fmt.Sprintf("%d more", s.Unseen-maxListed))
			break
		}
		names = append(names, toolName(t))
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// item writes a role and its text.
func item(buf *bytes.Buffer, head, s string) {
	hang := ""
	if strings.HasPrefix(s, "- ") {
		hang = "  "
	}
	lead := "   " + pad(head, column)
	for _, line := range wording.Fold(safetext.Clean(s), width-len(lead)-len(hang)) {
		fmt.Fprintln(buf, strings.TrimRight(lead+line, " "))
		lead = strings.Repeat(" ", 3+column) + hang
	}
}

// put writes a paragraph; continuation lines are indented to its text.
func put(buf *bytes.Buffer, lead, s string) {
	for _, line := range wording.Fold(safetext.Clean(s), width-len(lead)) {
		fmt.Fprintln(buf, strings.TrimRight(lead+line, " "))
		lead = strings.Repeat(" ", len(lead))
	}
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(n-ansi.StringWidth(s), 0)) }
