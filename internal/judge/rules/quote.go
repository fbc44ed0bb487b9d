package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// maxQuoted bounds every string of the target's in a message.
const maxQuoted = 200

// quote makes a string of the target's fit for a human: in quotes, escaped,
// and not too long. The empty string stays empty.
func quote(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(cut(s, maxQuoted))
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._/:@+-]{0,79}$`)

// plain leaves short words of a harmless alphabet as they are and quotes the
// rest. It is for words that should be ours.
func plain(s string) string {
	if harmless.MatchString(s) {
		return s
	}
	return quote(s)
}

// identifier is a name that cannot be mistaken for prose: one word of letters,
// digits and signs.
var identifier = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)

// oneWord is a path, a host with its port, or another name without blanks.
var oneWord = regexp.MustCompile(`^[A-Za-z0-9~/.@][A-Za-z0-9~/.@:+_-]{0,159}( port [0-9]{1,5})?$`)

// name leaves paths and names of one word as they are, with ~ for the home
// directory, and quotes the rest. A variable is called by its name alone.
func name(s, home string) string {
	s = strings.TrimPrefix(s, mcpsf.SourceVariable)
	if home != "" && (s == home || strings.HasPrefix(s, home+"/")) {
		s = "~" + s[len(home):]
	}
	if oneWord.MatchString(s) {
		return s
	}
	return quote(s)
}

// escape replaces what is not printable; the text around it stays readable.
func escape(s string) string {
	if strconv.CanBackquote(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRuneToASCII(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}

// escapeJSON replaces what is not printable in JSON, and only there where it
// can be: in strings. What comes out still means the same.
func escapeJSON(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// cut shortens s to at most n bytes, at the border of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
