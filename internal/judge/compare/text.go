package compare

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// no gap: bounds what is shown
const (
	width    = 80
	maxShown = 300
)

func textHeading(_ int, s string) string {
	return strings.Join(wording.Fold(shown(s), width), "\n") + "\n"
}

// textItem writes "+ host a.example:443 - for get_weather". A long item
// continues on indented lines.
func textItem(i item) string {
	words := strings.TrimSpace(shown(i.kind) + " " + shown(i.name))
	if i.text != "" {
		words += map[bool]string{true: ": ", false: " - "}[i.name == "" && words != ""] + shown(i.text)
	}
	if i.sign != "" {
		words = i.sign + " " + words
	}
	const margin = "  "
	lines := wording.Fold(words, width-2*len(margin))
	return margin + strings.Join(lines, "\n"+margin+margin) + "\n"
}

// shown makes a text of the target safe to print: one line, truncated.
func shown(s string) string { return ansi.Truncate(safetext.Clean(s), maxShown, "...") }

func markdownHeading(level int, s string) string {
	return strings.Repeat("#", level+1) + " " + literal(s) + "\n\n"
}

func markdownItem(i item) string {
	var parts []string
	if word := map[string]string{"+": "new", "-": "gone", "~": "changed"}[i.sign]; word != "" {
		parts = append(parts, "**"+word+"**")
	}
	for _, s := range []string{i.kind, i.name, i.text} {
		if s != "" {
			parts = append(parts, literal(s))
		}
	}
	return "- " + strings.Join(parts, " ") + "\n"
}

// words matches texts without meaning in Markdown.
var words = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9 ,()-]*[A-Za-z0-9)])?\.?$`)

// literal writes a text unchanged. If it could be markup, a link or a mention,
// it becomes a code span that it cannot close.
func literal(s string) string {
	s = shown(s)
	if words.MatchString(s) {
		return s
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence != "`" {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
