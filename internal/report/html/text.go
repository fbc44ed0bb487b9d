package html

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Maximum lengths of texts on the page, in bytes after escaping.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxName    = 240  // a name, a path, a program with its arguments
	maxLine    = 400  // what an event is about
	maxField   = 2000 // one field of an event
	maxProse   = 3000 // a message, a description
	maxMessage = 4000 // a request, an answer
)

// line makes one line of a target's text, of at most n bytes in the file. A
// truncated text says so, and how long it was.
func (w Words) line(s string, n int) string {
	short := clip(s, n)
	out, cut := fit(w.Clean(short), n)
	if cut || len(short) < len(s) {
		out += w.marker(len(s))
	}
	return out
}

// lines is line for a text with line breaks.
func (w Words) lines(s string, n int) string {
	short := clip(s, n)
	list := strings.Split(short, "\n")
	for i := range list {
		list[i] = w.Clean(strings.TrimSuffix(list[i], "\r"))
	}
	out, cut := fit(strings.Join(list, "\n"), n)
	if cut || len(short) < len(s) {
		out += w.marker(len(s))
	}
	return out
}

// maxJSON is the size up to which JSON is formatted. Larger JSON is shown as text.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxJSON = 64 << 10

// json formats JSON of the target, in at most n bytes.
func (w Words) json(raw []byte, n int) string {
	if len(raw) > maxJSON {
		return w.lines(string(raw), n)
	}
	out, cut := fit(w.Indent(raw), n)
	if cut {
		out += w.marker(len(raw))
	}
	return out
}

func (w Words) marker(size int) string {
	return fmt.Sprintf("… [cut, %s in all]", w.Size(int64(size)))
}

// clip shortens s to n bytes, at a character boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for back := 0; back < utf8.UTFMax && n > 0 && !utf8.RuneStart(s[n]); back++ {
		n--
	}
	return s[:n]
}

// fit shortens s to n bytes in the file: "<" takes more than one there.
func fit(s string, n int) (short string, cut bool) {
	used := 0
	for i, r := range s {
		if used += width(r); used > n {
			return s[:i], true
		}
	}
	return s, false
}

// weigh returns the maximum number of bytes that a text takes in the file.
func weigh(s string) int {
	total := 0
	for _, r := range s {
		total += width(r)
	}
	return total
}

// width returns the maximum number of bytes of a character in HTML or JSON.
func width(r rune) int {
	switch r {
	case '<', '>', '&', '"', '\'', '+', '\\':
		return 6
	}
	return utf8.RuneLen(r)
}

// plural writes n with its noun.
func plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(int64(n)) + " " + noun + "s"
}

// thousands writes a number with separators.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// word returns the noun in the form for n.
func word(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// sentence capitalises the first letter.
func sentence(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// firstOf returns the first n of a list.
func firstOf[T any](list []T, n int) []T { return list[:min(n, len(list))] }
