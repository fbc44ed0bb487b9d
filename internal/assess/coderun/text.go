package coderun

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/static/code/analysis"
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
	words := []string{lastName(name)}
	if name == analysis.ComputedImport {
		words = []string{"import", "require"}
	}
	// The reader knows the place of a keyword only by the word before it.
	for _, n := range []int{number, number + 1} {
		if found, ran := t.mentioned(f, n, words); found {
			return ran
		}
	}
	line, start := t.lines[number-1], t.starts[number-1]
	code := strings.TrimSpace(line)
	from := start + units(line[:len(line)-len(strings.TrimLeftFunc(line, unicode.IsSpace))])
	return code != "" && f.covers(from, from+units(code))
}

// mentioned tells whether a line mentions one of the words, and whether all
// mentions ran.
func (t *sourceText) mentioned(f *recorded, number int, words []string) (found, ran bool) {
	if number > len(t.lines) {
		return false, false
	}
	line, start := t.lines[number-1], t.starts[number-1]
	ran = true
	for _, word := range words {
		for _, at := range mentions(line, word) {
			from := start + units(line[:at])
			found, ran = true, ran && f.covers(from, from+1)
		}
	}
	return found, found && ran
}

// lastName returns the last word of a dotted name: "readFile" of
// "fs.promises.readFile".
func lastName(name string) string {
	name = strings.TrimRight(name, "()")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// mentions returns where a word occurs in a line.
func mentions(line, word string) []int {
	if word == "" {
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
