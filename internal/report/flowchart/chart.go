// Package flowchart writes the graph of flows for people and programs.
//
// In: a [flows.Graph]. Out: text of 80 columns, JSON, DOT for Graphviz, Mermaid,
// or a self-contained SVG. The names of tools and servers come from targets, so
// each format escapes all of them; only JSON has them unchanged. Only JSON grows
// with the number of tools.
package flowchart

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Format is an output format of a graph.
type Format string

// The formats.
const (
	FormatText    Format = "text"
	FormatJSON    Format = "json"
	FormatDOT     Format = "dot"
	FormatMermaid Format = "mermaid"
	FormatSVG     Format = "svg"
)

// All lists the formats.
func All() []Format { return []Format{FormatText, FormatJSON, FormatDOT, FormatMermaid, FormatSVG} }

// Write writes g. The same graph always gives the same bytes.
func Write(w io.Writer, f Format, g *flows.Graph) error {
	var buf bytes.Buffer
	c := newChart(g)
	switch f {
	case FormatText:
		c.text(&buf)
	case FormatJSON:
		data, err := safetext.JSON(g)
		if err != nil {
			return fmt.Errorf("writing the flows: %w", err)
		}
		buf.Write(data)
	case FormatDOT:
		c.dot(&buf)
	case FormatMermaid:
		c.mermaid(&buf)
	case FormatSVG:
		c.svg(&buf)
	default:
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("unknown format %q; use one of: %s", string(f), Names())}
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// Names lists the formats in a sentence.
func Names() string {
	var names []string
	for _, f := range All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// chart finds parts of a graph by their ids.
type chart struct {
	*flows.Graph

	servers map[string]*flows.Server
	tools   map[string]*flows.Tool
}

func newChart(g *flows.Graph) *chart {
	c := &chart{Graph: g, servers: map[string]*flows.Server{}, tools: map[string]*flows.Tool{}}
	for i := range g.Servers {
		c.servers[g.Servers[i].ID] = &g.Servers[i]
	}
	for i := range g.Tools {
		c.tools[g.Tools[i].ID] = &g.Tools[i]
	}
	return c
}

// verdict summarises the graph in one line.
func (c *chart) verdict() string {
	over := wording.Count(len(c.Servers), "server")
	if len(c.Flows) == 0 {
		if c.Unsure() {
			return "no toxic flow was seen over " + over + ", but not all was looked at"
		}
		return "no toxic flow over " + over
	}
	more := ""
	if c.Unsure() {
		more = "; there may be more"
	}
	return fmt.Sprintf("%s over %s%s%s", wording.Count(len(c.Flows)+c.MoreFlows, "toxic flow"), over, c.byLevel(), more)
}

// byLevel counts the flows of each level, most severe first.
func (c *chart) byLevel() string {
	count := map[flows.Level]int{}
	for _, f := range c.Flows {
		count[f.Level]++
	}
	var parts []string
	for _, l := range []flows.Level{flows.Open, flows.Seen, flows.Declared} {
		if count[l] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[l], l))
		}
	}
	return ": " + strings.Join(parts, ", ")
}

// title names the servers of a flow: "a or b, with c".
func (c *chart) title(f *flows.Flow) string {
	var parties []string
	for _, p := range f.Parties {
		parties = append(parties, c.names(p.Servers, "or"))
	}
	if len(parties) == 1 {
		return parties[0] + ", alone"
	}
	return strings.Join(parties, ", with ")
}

// maxListed bounds the names in one list.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxListed = 6

// names lists servers.
func (c *chart) names(ids []string, word string) string {
	var list []string
	for _, id := range ids {
		if s := c.servers[id]; s != nil {
			list = append(list, name(s.Name))
		}
	}
	if more := len(list) - maxListed; more > 0 {
		list = append(list[:maxListed], fmt.Sprintf("%d more", more))
	}
	if last := len(list) - 1; last > 0 {
		return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
	}
	return strings.Join(list, "")
}

// maxName is the maximum width of a name.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxName = 60

// plainName matches a name that cannot be mistaken for two names or for our
// words. A version may follow.
var plainName = lazyregexp.New(`^[\w.@/:-]+( \(\d+\)| v?\d[\w.+-]*)?$`)

// name makes a name of the target safe to show.
func name(s string) string {
	s = cut(s, maxName)
	if plainName.MatchString(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}

// toolName returns the name of a tool, or our name for what happens outside of tools.
func toolName(t *flows.Tool) string {
	if t.Name == "" {
		return "(without a tool)"
	}
	return name(t.Name)
}

// cut returns clean text of at most width cells.
func cut(s string, width int) string { return ansi.Truncate(safetext.Clean(s), width, "...") }
