package llmreview

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxText bounds what a model says of one thing, in bytes.
const maxText = 500

// addresses are what a reader, or a page, would follow.
var addresses = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)\S*|\b(?:javascript|data|mailto|tel|vbscript):\S+|\S+@\S+\.\S+`)

// sequences are what a terminal obeys, with what belongs to them.
var sequences = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?|\x{9b}[0-?]*[ -/]*[@-~]`)

// tags are markup.
var tags = regexp.MustCompile(`<[/!]?[A-Za-z][^<>]{0,400}>`)

// plain is what a model wrote as one line of words: nothing to follow, nothing
// that is obeyed or drawn, at most so many bytes, to the end of a sentence if
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

// visible leaves out what is not seen, and towers of marks.
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
