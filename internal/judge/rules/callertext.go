package rules

import (
	"path"
	"slices"
	"strings"
)

// callerText tells whether a string that the caller gave stands in the
// arguments of the program that was started: with a shell that is where a
// command can be put in.
func (l *callLog) callerText(f *fields) bool {
	c := l.calls[f.Call]
	if c == nil || len(f.Args) < 2 {
		return false
	}
	line := unquoted(strings.Join(f.Args[1:], "\n"))
	words := strings.FieldsFunc(line, betweenWords)
	return slices.ContainsFunc(c.values(), func(text string) bool {
		if len(text) >= minText && strings.Contains(line, text) || slices.Contains(words, text) {
			return true
		}
		// "cd DIR && tool FILE" takes a path apart.
		base := path.Base(text)
		return base != text && len(base) >= minText && slices.Contains(words, base)
	})
}

// argumentWords are the words in the arguments of the call.
func (l *callLog) argumentWords(id string) []string {
	c := l.calls[id]
	if c == nil {
		return nil
	}
	var words []string
	for _, text := range c.values() {
		words = append(words, strings.FieldsFunc(cut(text, maxPath), betweenWords)...)
	}
	return words
}

// minText is the length from which a text of the caller's is recognised
// anywhere in a command line. Shorter ones have to be a word of it.
const minText = 4
