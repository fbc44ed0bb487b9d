package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s as a part of a sentence: one line of at most n bytes, in which
// everything that cannot be seen is a space and spaces do not pile up.
func Line(s string, n int) string {
	const spare = 4 // what is not shown does not count
	s = s[:min(len(s), spare*n)]
	marks := 0
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		if r == utf8.RuneError || Hidden(r) || marks > maxMarks {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
