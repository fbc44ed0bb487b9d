package history

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// CallerText tells whether a string of the caller occurs in the arguments of the
// started program. In a shell command that allows command injection. A short word that
// the server chose ("az") is one of its own.
func (l *Calls) CallerText(f *event.Fields) bool {
	c := l.ByID[f.Call]
	if c == nil {
		return false
	}
	texts := slices.DeleteFunc(slices.Clone(c.values()), func(text string) bool {
		return len(text) < minText && !slices.Contains(c.ownValues(), text)
	})
	return standsIn(texts, f.Args)
}

// standsIn tells whether one of the texts stands in a command line.
func standsIn(texts, args []string) bool {
	if args = args[:min(len(args), lex.MaxArgs)]; len(args) < 2 {
		return false
	}
	line := lex.Unquoted(strings.Join(args[1:], "\n"))
	words := strings.FieldsFunc(line, lex.BetweenWords)
	return slices.ContainsFunc(texts, func(text string) bool {
		if len(text) >= minText && strings.Contains(line, text) || slices.Contains(words, text) {
			return true
		}
		// "cd DIR && tool FILE" splits a path into two arguments.
		base := path.Base(text)
		return base != text && len(base) >= minText && slices.Contains(words, base)
	})
}

// Gave tells whether the arguments of a call have a number or text as a whole value.
func (l *Calls) Gave(id, value string) bool {
	c := l.ByID[id]
	if c == nil {
		return false
	}
	for _, raw := range c.given().Arguments {
		if strings.Trim(string(raw), `"`) == value {
			return true
		}
	}
	return false
}

// NamesWord tells whether a word stands in the arguments of a call.
func (l *Calls) NamesWord(id, word string) bool {
	c := l.ByID[id]
	if c == nil {
		return false
	}
	if c.words == nil {
		c.words = map[string]bool{}
		for _, text := range c.values() {
			for w := range strings.FieldsFuncSeq(quote.Cut(text, lex.MaxPath), lex.BetweenWords) {
				c.words[w] = true
			}
		}
	}
	return c.words[word]
}

// minText is the length from which a caller's text is found anywhere in a
// command line. Shorter texts have to be a whole word.
const minText = 4
