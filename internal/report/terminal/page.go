package terminal

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// The widths a page can have, in cells.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	MinWidth     = 40
	DefaultWidth = 80
	MaxWidth     = 160
)

// span is a piece of a line. Its text is raw: it may come from the target.
type span struct {
	role role
	text string
	// width, if not 0, is the exact width to cut or fill to.
	width int
	// badge inverts the colours: the text is in a block of its role's colour.
	badge bool
}

func text(s string) span                  { return span{text: s} }
func dim(s string) span                   { return span{role: roleDim, text: s} }
func strong(s string) span                { return span{role: roleStrong, text: s} }
func colored(r role, s string) span       { return span{role: r, text: s} }
func column(r role, w int, s string) span { return span{role: r, text: s, width: w} }

// page collects lines. All text passes through spans, and only line writes. So
// all text is escaped and stays within the right margin.
type page struct {
	theme

	buf   *bytes.Buffer
	width int
	ascii bool
}

// safe makes hostile text safe for this terminal.
func (p *page) safe(s string) string {
	if p.ascii {
		return safetext.ASCII(s)
	}
	return safetext.Clean(s)
}

func newPage(buf *bytes.Buffer, s Style) *page {
	width := s.Width
	if width <= 0 {
		width = DefaultWidth
	}
	return &page{
		theme: newTheme(s),
		buf:   buf,
		width: min(max(width, MinWidth), MaxWidth),
		ascii: !s.Unicode,
	}
}

// line writes spans one after the other, cut at the right margin.
func (p *page) line(spans ...span) {
	var b strings.Builder
	left := p.width
	for _, s := range p.fitted(spans) {
		t := s.text
		if w := ansi.StringWidth(t); w > left {
			t = p.cut(t, left)
		}
		left -= ansi.StringWidth(t)
		b.WriteString(p.paint(s, t))
	}
	p.buf.WriteString(strings.TrimRight(b.String(), " "))
	p.buf.WriteByte('\n')
}

// fitted returns the spans with the texts that are written. A line that a CI runner
// would take for a command gets its first colon escaped.
func (p *page) fitted(spans []span) []span {
	out := slices.Clone(spans)
	var line strings.Builder
	for i := range out {
		out[i].text = p.fit(out[i])
		line.WriteString(out[i].text)
	}
	at := safetext.LeadingColons(line.String())
	for i := 0; at >= 0; i++ {
		text := out[i].text
		if at < len(text) {
			out[i].text = text[:at] + `\u{3a}` + text[at+1:]
		}
		at -= len(text)
	}
	return out
}

// between writes left and right at the two ends of a line; left is shortened if needed.
func (p *page) between(left, right []span) {
	rest := p.width - p.measure(right) - 1
	var out []span
	for _, s := range left {
		s.text = p.cut(p.fit(s), rest)
		s.width = 0
		rest -= ansi.StringWidth(s.text)
		out = append(out, s)
	}
	out = append(out, text(strings.Repeat(" ", max(rest+1, 1))))
	p.line(append(out, right...)...)
}

// fits reports whether left and right fit on one line.
func (p *page) fits(left, right []span) bool {
	return p.measure(left)+1+p.measure(right) <= p.width
}

// paragraph writes s wrapped and indented, with a maximum number of lines. The first
// line begins with head, which must not be wider than indent.
func (p *page) paragraph(head span, indent int, r role, s string, lines int) {
	p.hang(head, indent, r, p.wrap(strings.Fields(p.safe(s)), p.width-indent, lines))
}

// facts writes a list on as few lines as possible. Only a fact wider than a line
// is broken, between its words.
func (p *page) facts(label string, indent int, list []string) {
	if len(list) == 0 {
		return
	}
	p.hang(dim(label), indent, roleText, p.wrap(p.chunks(list), p.width-indent, 8))
}

// chunks prepares a list for wrap.
func (p *page) chunks(list []string) []string {
	chunks := make([]string, len(list))
	for i, fact := range list {
		chunks[i] = p.safe(fact)
		if i < len(list)-1 {
			chunks[i] += " " + p.dot
		}
	}
	return chunks
}

func (p *page) hang(head span, indent int, r role, lines []string) {
	head.width = indent
	for _, line := range lines {
		p.line(head, colored(r, line))
		head = column(roleText, indent, "")
	}
}

// wrap puts clean chunks on at most limit lines, more on a narrow page; the last
// line says if there is more. Only a chunk wider than a line is broken.
func (p *page) wrap(chunks []string, width, limit int) []string {
	if p.width < DefaultWidth {
		limit *= 3
	}
	var lines []string
	room := 0
	for part := range parts(chunks, width) {
		w := ansi.StringWidth(part)
		if len(lines) > 0 && w < room {
			lines[len(lines)-1] += " " + part
			room -= w + 1
			continue
		}
		if len(lines) == limit {
			if room > ansi.StringWidth(p.ellipsis) {
				part = p.ellipsis
			}
			lines[limit-1] = p.cut(lines[limit-1]+" "+part, width)
			return lines
		}
		lines = append(lines, part)
		room = width - w
	}
	return lines
}

// parts breaks chunks wider than a line at their spaces, and words wider than a
// line anywhere.
func parts(chunks []string, width int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, chunk := range chunks {
			words := []string{chunk}
			if ansi.StringWidth(chunk) > width {
				words = strings.Fields(chunk)
			}
			for _, word := range words {
				for part := range strings.SplitSeq(ansi.Hardwrap(word, width, true), "\n") {
					if !yield(part) {
						return
					}
				}
			}
		}
	}
}

func (p *page) heading(s, note string) {
	p.line()
	if note = p.safe(note); note != "" {
		note = "  " + note
	}
	p.line(strong(s), dim(note))
	p.line()
}

func (p *page) measure(spans []span) int {
	w := 0
	for _, s := range spans {
		w += ansi.StringWidth(p.fit(s))
	}
	return w
}

// fit cleans a span's text and brings it to the span's width.
func (p *page) fit(s span) string {
	t := p.safe(s.text)
	if s.width == 0 {
		return t
	}
	t = p.cut(t, s.width)
	return t + strings.Repeat(" ", max(s.width-ansi.StringWidth(t), 0))
}

// cut shortens clean text to width cells.
func (p *page) cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, p.ellipsis)
}

// middle shortens a path in its middle, because both ends are informative.
func (p *page) middle(s string, width int) string {
	s = p.safe(s)
	total := ansi.StringWidth(s)
	if total <= width {
		return s
	}
	keep := width - ansi.StringWidth(p.ellipsis)
	if keep < 8 {
		return p.cut(s, width)
	}
	tail := keep * 2 / 3
	return ansi.Truncate(s, keep-tail, "") + p.ellipsis + ansi.TruncateLeft(s, total-tail, "")
}
