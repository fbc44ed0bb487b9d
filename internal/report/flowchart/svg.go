package flowchart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/judge/flows"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The measures of the drawing.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	svgWidth   = 960
	boxWidth   = 300
	margin     = 24
	lineHeight = 18
	boxPad     = 10
	gap        = 14
	// letter is the approximate width of a letter in the boxes.
	letter = 7.8
	// maxBoxes and maxLines bound a column and a box.
	maxBoxes = 12
	maxLines = 6
)

// box is what one server has of a role.
type box struct {
	role       flows.Role
	level      flows.Level
	head       string
	lines      []string
	top, tall  int
	left, edge int // edge is the side at which the line begins or ends
}

func (b *box) middle() int { return b.top + b.tall/2 }

// svg draws untrusted input and private data on the left, the agent in the
// middle and ways out on the right.
func (c *chart) svg(buf *bytes.Buffer) {
	top := margin + 2*lineHeight + gap
	left, bottom := c.stack(top, margin, margin+boxWidth, flows.Untrusted, flows.Private)
	right, end := c.stack(top, svgWidth-margin-boxWidth, svgWidth-margin-boxWidth, flows.Out)
	shift(left, (max(end, top+80)-bottom)/2)
	shift(right, (max(bottom, top+80)-end)/2)
	bottom = max(bottom, end, top+80)
	notes := c.svgNotes()
	height := bottom + gap + len(notes)*lineHeight + margin
	fmt.Fprintf(buf, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"t\">\n",
		svgWidth, height, svgWidth, height)
	fmt.Fprintf(buf, "<title id=\"t\">%s</title>\n<style>%s</style>\n", escape(c.verdict()), svgStyle)
	fmt.Fprintf(buf, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", svgWidth, height)
	write(buf, "title", margin, margin+lineHeight, sentence(c.verdict()))
	middle := (top + bottom) / 2
	for _, b := range append(left, right...) {
		line(buf, b, middle)
	}
	fmt.Fprintf(buf, "<circle class=\"agent\" cx=\"%d\" cy=\"%d\" r=\"40\"/>\n", svgWidth/2, middle)
	fmt.Fprintf(buf, "<text class=\"mid\" x=\"%d\" y=\"%d\">agent</text>\n", svgWidth/2, middle+5)
	for _, b := range append(left, right...) {
		b.draw(buf)
	}
	for i, s := range notes {
		write(buf, "note", margin, bottom+gap+(i+1)*lineHeight, s)
	}
	buf.WriteString("</svg>\n")
}

// stack places the boxes of some roles below each other.
func (c *chart) stack(top, left, edge int, roles ...flows.Role) (boxes []*box, bottom int) {
	for _, role := range roles {
		list, more := c.boxes(role)
		if more > 0 {
			list = append(list, &box{role: role, level: flows.Declared, head: fmt.Sprintf("and %s more", wording.Count(more, "server"))})
		}
		for _, b := range list {
			b.top, b.left, b.edge = top, left, edge
			b.tall = 2*boxPad + lineHeight*(1+len(b.lines))
			top += b.tall + gap
			boxes = append(boxes, b)
		}
	}
	return boxes, top
}

// shift centres the boxes of the shorter column.
func shift(boxes []*box, by int) {
	for _, b := range boxes {
		b.top += max(by, 0)
	}
}

// boxes returns the servers that have a role, and how many did not fit.
func (c *chart) boxes(role flows.Role) (list []*box, more int) {
	index := map[string]*box{}
	for i := range c.Tools {
		t := &c.Tools[i]
		level := t.Level(role)
		if level == "" {
			continue
		}
		b := index[t.Server]
		if b == nil {
			b = &box{role: role, level: level, head: cut(c.servers[t.Server].Name+": "+role.Words(), 38)}
			index[t.Server] = b
			if len(list) == maxBoxes {
				more++
				continue
			}
			list = append(list, b)
		}
		if level.Reaches(b.level) {
			b.level = level
		}
		b.lines = append(b.lines, cut(label(t), 36))
	}
	for _, b := range list {
		if rest := len(b.lines) - maxLines; rest > 0 {
			b.lines = append(b.lines[:maxLines], fmt.Sprintf("and %d more", rest))
		}
	}
	return list, more
}

// line draws a line between a box and the agent: thick if the caller chooses the
// place, dashed if the role is only declared.
func line(buf *bytes.Buffer, b *box, middle int) {
	from, to := b.edge, svgWidth/2-40
	if b.role == flows.Out {
		to = svgWidth/2 + 40
	}
	half := (from + to) / 2
	fmt.Fprintf(buf, "<path class=\"%s %s\" d=\"M%d %d C%d %d %d %d %d %d\"/>\n", b.role, b.level, from, b.middle(), half, b.middle(), half, middle, to, middle)
}

func (b *box) draw(buf *bytes.Buffer) {
	fmt.Fprintf(buf, "<rect class=\"box %s %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n", b.role, b.level, b.left, b.top, boxWidth, b.tall)
	write(buf, "head", b.left+boxPad, b.top+boxPad+lineHeight-5, b.head)
	for i, s := range b.lines {
		write(buf, "tool", b.left+boxPad, b.top+boxPad+lineHeight*(i+2)-5, s)
	}
}

// svgNotes explain the lines and say what is not known.
func (c *chart) svgNotes() []string {
	notes := []string{"Thick: the calls choose the place. Thin: a fixed one. Dashed: only declared, not seen to happen."}
	// no gap: bounds what is shown; report.json and events.jsonl have everything
	const most, wide = 6, 118
	for i, s := range c.caveats() {
		if i == most {
			notes = append(notes, fmt.Sprintf("and %d more", len(c.caveats())-i))
			break
		}
		notes = append(notes, cut(s, wide))
	}
	return notes
}

// write writes clean text. If it is estimated to be wider than its box, it is
// compressed to fit.
func write(buf *bytes.Buffer, class string, x, y int, s string) {
	squeeze := ""
	if class == "tool" || class == "head" {
		if w := ansi.StringWidth(s); float64(w)*letter > boxWidth-2*boxPad {
			squeeze = fmt.Sprintf(` textLength="%d" lengthAdjust="spacingAndGlyphs"`, boxWidth-2*boxPad)
		}
	}
	fmt.Fprintf(buf, "<text class=\"%s\" x=\"%d\" y=\"%d\"%s>%s</text>\n", class, x, y, squeeze, escape(s))
}

// escape escapes clean text for XML.
func escape(s string) string {
	var b strings.Builder
	if xml.EscapeText(&b, []byte(s)) != nil { // a builder accepts everything
		return ""
	}
	return b.String()
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// svgStyle has the colours of the HTML report.
const svgStyle = `
:root { --paper: #ffffff; --wash: #f6f7f8; --ink: #171a1e; --muted: #57606b; --untrusted: #ad3708; --private: #4d4a9c; --out: #93195a; }
@media (prefers-color-scheme: dark) { :root { --paper: #131619; --wash: #1a1e22; --ink: #e3e6e9; --muted: #9ba5af; --untrusted: #f2935f; --private: #b3b0f5; --out: #f5759f; } }
.paper { fill: var(--paper); } .box { fill: var(--wash); stroke: var(--muted); }
text { fill: var(--ink); font: 13px ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.title { font: 600 18px system-ui, sans-serif; } .head { font-weight: 600; } .mid { text-anchor: middle; font: 600 15px system-ui, sans-serif; } .note { fill: var(--muted); font: 13px system-ui, sans-serif; }
.agent { fill: var(--wash); stroke: var(--ink); stroke-width: 1.5; } path { fill: none; stroke-width: 1.5; }
path.untrusted, rect.untrusted { stroke: var(--untrusted); } path.private, rect.private { stroke: var(--private); } path.out, rect.out { stroke: var(--out); }
path.open { stroke-width: 4; } .declared { stroke-dasharray: 5 4; }
`
