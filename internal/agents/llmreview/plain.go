package llmreview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxText bounds the model's text about one item, in bytes.
// gap: model-review
const maxText = 500

// addresses are what a reader, or a page, would follow.
var addresses = lazyregexp.New(`(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)\S*|\b(?:javascript|data|mailto|tel|vbscript):\S+|\S+@\S+\.\S+`)

// sequences are terminal escape sequences with their arguments.
var sequences = lazyregexp.New(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?|\x{9b}[0-?]*[ -/]*[@-~]`)

// tags are HTML tags.
var tags = lazyregexp.New(`<[/!]?[A-Za-z][^<>]{0,400}>`)

// plain is a model's text as one line of words: without links, markup and
// control characters, at most so many bytes, cut at the end of a sentence if
// that is not too short.
func plain(s string, most int) string {
	s = strings.ToValidUTF8(cut(s, 16<<10), " ")
	s = sequences.ReplaceAllString(s, " ")
	s = tags.ReplaceAllString(s, " ")
	s = visible(s)
	s = addresses.ReplaceAllString(s, "(an address)")
	s = strings.NewReplacer("[", "(", "]", ")", "{", "(", "}", ")", "`", "'", "<", " ", ">", " ",
		"*", "", "#", "", "~", "", "|", " ", "\\", " ").Replace(s)
	s = oneLine(s)
	if len(s) <= most {
		return s
	}
	s = cut(s, most-len("…"))
	if end := strings.LastIndexAny(s, ".!?"); end > most/2 {
		return s[:end+1]
	}
	if end := strings.LastIndexByte(s, ' '); end > most/2 {
		s = s[:end]
	}
	return s + "…"
}

// visible removes invisible characters and stacks of combining marks.
func visible(s string) string {
	var b strings.Builder
	tower := 0
	for _, r := range s {
		if unicode.Is(unicode.M, r) {
			tower++
		} else {
			tower = 0
		}
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case safetext.Hidden(r), tower > 2, r == utf8.RuneError:
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
