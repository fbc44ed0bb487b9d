package safetext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText bounds how much of one string is ever looked at; the rest of a
// hostile megabyte would be cut off at the edge of the screen anyway.
// no gap: bounds what is shown
const MaxText = 8 << 10

// maxMarks is how many combining marks may follow one another. Real scripts
// need two; towers of them draw over the lines above.
// no gap: bounds what is shown
const maxMarks = 2

// Clean returns s as one line that is safe to print: everything that is not
// plainly visible is escaped. Control characters and terminal escapes, C1,
// bidirectional controls, zero-width and other invisible characters become
// \u{202e}, invalid UTF-8 becomes \xff. Long strings are cut.
func Clean(s string) string { return clean(s, false) }

// ASCII returns what [Clean] does, with everything beyond ASCII escaped too: for
// terminals that cannot show more.
func ASCII(s string) string { return clean(s, true) }

func clean(s string, ascii bool) string {
	s = Limit(s)
	if plain(s) {
		return s
	}
	var b strings.Builder
	marks := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Hidden(r), ascii && r >= utf8.RuneSelf, marks > maxMarks:
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// Limit cuts s to MaxText bytes, at the start of a character.
func Limit(s string) string {
	if len(s) <= MaxText {
		return s
	}
	end := MaxText
	for end > MaxText-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u{%x}`, r)
}

// Hidden reports whether r steers the terminal or cannot be seen. Spaces other
// than the ordinary one count as hidden: they only serve to make two names
// look alike.
func Hidden(r rune) bool {
	if !unicode.IsPrint(r) {
		return true
	}
	switch {
	case unicode.Is(unicode.Variation_Selector, r),
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	case r == '\u2800': // a braille cell without dots
		return true
	}
	return false
}
