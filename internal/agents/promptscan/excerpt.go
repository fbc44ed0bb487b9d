package promptscan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shown is s[from:to] with some context, safe to print: unprintable characters
// are escaped.
func shown(s string, from, to int) string {
	// no gap: bounds what is quoted or counts as one word or sentence, not what is read
	const around, most = 60, 240
	from = max(0, min(from, len(s)))
	to = max(from, min(to, len(s)))
	if from > 0 || to < len(s) {
		from, to = max(0, from-around), min(len(s), max(to+around, from+most/2))
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	for from > 0 && from < to && !utf8.RuneStart(s[from]) {
		from++
	}
	for i, r := range s[from:to] {
		if i >= most {
			to = from + i
			break
		}
		b.WriteString(escaped(r))
	}
	if to < len(s) {
		b.WriteString("…")
	}
	return b.String()
}

func escaped(r rune) string {
	switch {
	case r == 0xfe0f: // variation selector: shows the preceding sign as an emoji
		return ""
	case r == '\n' || r == '\r' || r == '\t' || unicode.IsSpace(r) && r != 0x2028 && r != 0x2029:
		return " "
	case unicode.IsPrint(r) && !isSelector(r) && !invisible(r):
		return string(r)
	}
	const hex = "0123456789abcdef"
	d := []byte(`\u{}`)
	out := d[:3]
	started := false
	for shift := 20; shift >= 0; shift -= 4 {
		if n := r >> shift & 15; n != 0 || started || shift == 0 {
			started = true
			out = append(out, hex[n])
		}
	}
	return string(append(out, '}'))
}
