package flowchart

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// maxNodes bounds the tools in a drawing. Mermaid refuses more than 500 edges
// and 50,000 characters.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxNodes = 100
	maxLabel = 24
)

// label returns the text in the box of a tool.
func label(t *flows.Tool) string {
	if t.Name == "" {
		return toolName(t)
	}
	return t.Name
}

// drawn returns the tools that have a role, those in flows first, and how many
// did not fit.
func (c *chart) drawn() (list []*flows.Tool, more int) {
	toxic := map[string]bool{}
	for _, f := range c.Flows {
		for _, leg := range f.Legs {
			for _, id := range leg.Tools {
				toxic[id] = true
			}
		}
	}
	for _, wanted := range []bool{true, false} {
		for i := range c.Tools {
			t := &c.Tools[i]
			if len(t.Traits) == 0 || toxic[t.ID] != wanted {
				continue
			}
			if len(list) == maxNodes {
				more++
				continue
			}
			list = append(list, t)
		}
	}
	// Sort by server, because each server is drawn as one box.
	slices.SortStableFunc(list, func(a, b *flows.Tool) int { return c.place(a) - c.place(b) })
	return list, more
}

// place returns the index of a tool's server.
func (c *chart) place(t *flows.Tool) int {
	return slices.IndexFunc(c.Servers, func(s flows.Server) bool { return s.ID == t.Server })
}

// dot writes the graph for Graphviz.
func (c *chart) dot(buf *bytes.Buffer) {
	tools, more := c.drawn()
	fmt.Fprintf(buf, "digraph flows {\n  label=%s;\n  labelloc=t;\n  rankdir=LR;\n", quoteDOT(c.verdict()))
	buf.WriteString("  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n  agent [shape=ellipse, label=\"agent\"];\n")
	for i, t := range tools {
		if i == 0 || tools[i-1].Server != t.Server {
			fmt.Fprintf(buf, "  subgraph cluster_%s {\n    label=%s;\n", t.Server, quoteDOT(cut(c.servers[t.Server].Name, maxName)))
		}
		fmt.Fprintf(buf, "    %s [label=%s%s];\n", t.ID, quoteDOT(cut(label(t), maxName)), map[bool]string{true: ", style=dashed"}[t.State != flows.StateSeen])
		if i == len(tools)-1 || tools[i+1].Server != t.Server {
			buf.WriteString("  }\n")
		}
	}
	c.edges(tools, func(e flows.Edge) {
		fmt.Fprintf(buf, "  %s -> %s [label=%s, color=%q, style=%s];\n", e.From, e.To, quoteDOT(string(e.Carries)), colours()[e.Carries],
			map[flows.Level]string{flows.Open: "bold", flows.Seen: "solid", flows.Declared: "dashed"}[e.Level])
	})
	if more > 0 {
		fmt.Fprintf(buf, "  more [shape=plaintext, label=\"and %d more tools\"];\n", more)
	}
	for _, s := range c.caveats() {
		fmt.Fprintf(buf, "  // %s\n", s)
	}
	buf.WriteString("}\n")
}

// edges calls each for the edges of the tools that are drawn.
func (c *chart) edges(tools []*flows.Tool, each func(flows.Edge)) {
	in := map[string]bool{flows.Agent: true}
	for _, t := range tools {
		in[t.ID] = true
	}
	for _, e := range c.Edges {
		if in[e.From] && in[e.To] {
			each(e)
		}
	}
}

// colours are those of the roles, readable on white.
func colours() map[flows.Role]string {
	return map[flows.Role]string{flows.Untrusted: "#ad3708", flows.Private: "#4d4a9c", flows.Out: "#93195a"}
}

// quoteDOT writes clean text as a Graphviz string: a backslash would begin an
// escape, a quote would end the string.
func quoteDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// mermaid writes the graph for pages that render Mermaid.
func (c *chart) mermaid(buf *bytes.Buffer) {
	tools, more := c.drawn()
	fmt.Fprintf(buf, "flowchart LR\n  agent((agent))\n")
	for i, t := range tools {
		if i == 0 || tools[i-1].Server != t.Server {
			fmt.Fprintf(buf, "  subgraph %s [%s]\n", t.Server, quoteMermaid(cut(c.servers[t.Server].Name, maxLabel)))
		}
		fmt.Fprintf(buf, "    %s[%s]\n", t.ID, quoteMermaid(cut(label(t), maxLabel)))
		if i == len(tools)-1 || tools[i+1].Server != t.Server {
			buf.WriteString("  end\n")
		}
	}
	c.edges(tools, func(e flows.Edge) {
		arrow := map[flows.Level]string{flows.Open: "==>", flows.Seen: "-->", flows.Declared: "-.->"}[e.Level]
		fmt.Fprintf(buf, "  %s %s|%s| %s\n", e.From, arrow, e.Carries, e.To)
	})
	if more > 0 {
		fmt.Fprintf(buf, "  more[\"and %d more tools\"]\n", more)
	}
	fmt.Fprintf(buf, "  verdict[%s]\n", quoteMermaid(c.verdict()))
}

// quoteMermaid writes clean text as a label. Characters that could be markup are
// written as numeric entities.
func quoteMermaid(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" _-.,:/()", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
