package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// no gap: bounds the capture file; events have everything
const (
	// maxComment is how many bytes of a comment are written.
	maxComment = 512
	// maxComments is how many comments a packet has.
	maxComments = 8
)

// clean makes a comment safe to show: one line of valid UTF-8 without control,
// bidirectional and invisible characters. The target chooses the names in it.
func clean(s string) string {
	const tooLong = "..."
	whole := len(s) <= 4*maxComment
	s = s[:min(len(s), 4*maxComment)]
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, s) // a byte that is no UTF-8 becomes U+FFFD
	if s = strings.TrimSpace(s); whole && len(s) <= maxComment {
		return s
	}
	end := min(len(s), maxComment-len(tooLong))
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + tooLong
}

// cleanAll cleans a packet's comments and drops empty ones.
func cleanAll(comments []string) []string {
	var out []string
	for _, c := range comments[:min(len(comments), maxComments)] {
		if c = clean(c); c != "" {
			out = append(out, c)
		}
	}
	return out
}
