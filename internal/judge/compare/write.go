package compare

import (
	"bytes"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Format is an output format of a comparison.
type Format string

// The formats.
const (
	FormatText     Format = "text"
	FormatJSON     Format = "json"
	FormatMarkdown Format = "markdown"
)

// All lists the formats.
func All() []Format { return []Format{FormatText, FormatJSON, FormatMarkdown} }

// Write writes c. Every text from the targets is made safe for the format.
func Write(w io.Writer, f Format, c *Comparison) error {
	var buf bytes.Buffer
	switch f {
	case FormatText:
		(&page{buf: &buf, heading: textHeading, item: textItem}).write(c)
	case FormatMarkdown:
		(&page{buf: &buf, heading: markdownHeading, item: markdownItem}).write(c)
	case FormatJSON:
		data, err := safetext.JSON(c)
		if err != nil {
			return fmt.Errorf("writing the comparison: %w", err)
		}
		buf.Write(data)
	default:
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("unknown format %q; use one of: text, json, markdown", string(f))}
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// maxItems bounds a section; JSON has all.
// no gap: bounds what is shown
const maxItems = 40

// item is one line: a sign, the kind, the name in the target's words, and our
// text.
type item struct{ sign, kind, name, text string }

// page writes the sections in order. The two formats differ in headings and
// items.
type page struct {
	buf     *bytes.Buffer
	heading func(level int, s string) string
	item    func(item) string
}

func (p *page) write(c *Comparison) {
	p.buf.WriteString(p.heading(1, title(c)))
	verdict := string(c.New.Band)
	if c.Old.Band != c.New.Band || c.Old.Score != c.New.Score {
		verdict = fmt.Sprintf("%s (%d), was %s (%d)", c.New.Band, c.New.Score, c.Old.Band, c.Old.Score)
	}
	p.section("", append([]item{{kind: "verdict", text: safetext.Clean(verdict)}}, identity(c)...))
	var notes []item
	for _, s := range c.Caveats {
		notes = append(notes, item{kind: "note", text: s})
	}
	p.section("", notes)
	p.section("Findings", findingItems(c))
	p.section("What it uses", accessItems(c))
	p.section("What it offers", offerItems(c))
	p.section("Installed packages", packageItems(c))
	if c.Empty() {
		p.buf.WriteString("\nNothing new, nothing gone.\n")
	}
}

func (p *page) section(name string, items []item) {
	if len(items) == 0 {
		return
	}
	p.buf.WriteByte('\n')
	if name != "" {
		p.buf.WriteString(p.heading(2, name))
	}
	for n, i := range items {
		if n == maxItems {
			p.buf.WriteString(p.item(item{text: fmt.Sprintf("and %d more", len(items)-n)}))
			return
		}
		p.buf.WriteString(p.item(i))
	}
}

func title(c *Comparison) string {
	if c.Old.Name == c.New.Name {
		return fmt.Sprintf("%s: %s and %s", shown(c.New.Name), which(c.Old), which(c.New))
	}
	return fmt.Sprintf("%s %s and %s %s", shown(c.Old.Name), which(c.Old), shown(c.New.Name), which(c.New))
}

// which names a run by its version, or by its own name.
func which(s Side) string {
	if s.Version != "" {
		return shown(s.Version)
	}
	return "run " + shown(s.Run)
}

func identity(c *Comparison) []item {
	switch {
	case c.Old.Digest == c.New.Digest:
		return []item{{kind: "files", text: "the same in both"}}
	case c.Old.Version == c.New.Version && c.Old.Version != "":
		return []item{{kind: "files", text: "others, though the version is the same"}}
	}
	return nil
}

func sign(s State) string { return map[State]string{New: "+", Gone: "-", Changed: "~"}[s] }
