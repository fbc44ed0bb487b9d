package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// MaxQuoted bounds every string of the target in a message.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const MaxQuoted = 200

// Text makes a string of the target safe to print: quoted, escaped and
// truncated. The empty string stays empty.
func Text(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(Cut(s, MaxQuoted))
}

var harmless = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9 ._/:@+-]{0,79}$`)

// Word leaves short words of harmless characters unquoted and quotes the rest.
// Use it for words that should be ours.
func Word(s string) string {
	if harmless.MatchString(s) {
		return s
	}
	return Text(s)
}

// identifier matches a name that cannot be mistaken for prose: one word of
// letters, digits and signs.
var identifier = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)

// oneWord matches a path, a host with its port, or another name without spaces.
var oneWord = lazyregexp.New(`^[A-Za-z0-9~/.@][A-Za-z0-9~/.@:+_-]{0,159}( port [0-9]{1,5})?$`)

// Name leaves paths and one-word names unquoted, with ~ for the home directory,
// and quotes the rest. A variable is printed by its name alone.
func Name(s, home string) string {
	s = strings.TrimPrefix(s, mcpsf.SourceVariable)
	if home != "" && (s == home || strings.HasPrefix(s, home+"/")) {
		s = "~" + s[len(home):]
	}
	if oneWord.MatchString(s) {
		return s
	}
	return Text(s)
}

// Part prints a JSON pointer, or our own words such as "header Authorization".
func Part(s string) string {
	if oneWord.MatchString(s) {
		return s
	}
	return Word(s)
}

// Identifier leaves a one-word name unquoted and quotes the rest.
func Identifier(s string) string {
	if identifier.MatchString(s) {
		return s
	}
	return Text(s)
}

// Escape replaces unprintable characters; the rest stays readable.
func Escape(s string) string {
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

// JSON escapes unprintable characters in JSON, which can occur only in strings.
// The result has the same meaning.
func JSON(s string) string {
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

// Cut shortens s to at most n bytes, at a character boundary.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
