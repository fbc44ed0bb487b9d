package coderun

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sourceText is the text of a JavaScript file, with the offsets that V8 counts.
type sourceText struct {
	lines []string
	// starts are the offsets of the lines in UTF-16 units; the last is the end.
	starts []int
}

func newSourceText(source []byte) *sourceText {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	t := &sourceText{lines: strings.SplitAfter(string(source), "\n"), starts: []int{0}}
	for _, line := range t.lines {
		t.starts = append(t.starts, t.starts[len(t.starts)-1]+units(line))
	}
	return t
}

// units is the length of a text in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

func (t *sourceText) length() int { return t.starts[len(t.starts)-1] }

// ran tells whether a call in a line ran: each mention of its name there, or the
// whole line if it has another name there.
func (t *sourceText) ran(f *recorded, number int, name string) bool {
	if number < 1 || number > len(t.lines) {
		return false
	}
	line, start := t.lines[number-1], t.starts[number-1]
	places := mentions(line, lastName(name))
	for _, at := range places {
		from := start + units(line[:at])
		if !f.covers(from, from+1) {
			return false
		}
	}
	if len(places) > 0 {
		return true
	}
	code := strings.TrimSpace(line)
	from := start + units(line[:strings.Index(line, code)])
	return code != "" && f.covers(from, from+units(code))
}

// lastName returns the last word of a dotted name: "readFile" of
// "fs.promises.readFile".
func lastName(name string) string {
	name = strings.TrimRight(name, "()")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// mentions returns where a word occurs in a line.
func mentions(line, word string) []int {
	if word == "" || strings.Contains(word, " ") {
		return nil
	}
	var places []int
	for at := 0; ; {
		i := strings.Index(line[at:], word)
		if i < 0 {
			return places
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		after, _ := utf8.DecodeRuneInString(line[at+len(word):])
		if !inWord(before) && !inWord(after) {
			places = append(places, at)
		}
		at += len(word)
	}
}

func inWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }
