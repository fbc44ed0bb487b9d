package promptscan

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed lexicon.txt
var lexiconText string

// vocabulary reads the lexicon once.
//
//nolint:gochecknoglobals // compiled once like a regular expression, and never changed
var vocabulary = sync.OnceValue(func() *lexicon { return newLexicon(lexiconText) })

// class is a meaning that words can have.
type class string

// lexicon finds the classes of words. Phrases are indexed by their first word.
type lexicon struct {
	exact  map[string][]phrase
	prefix map[string][]phrase
	// letters are the single words, to find words whose letters are separated
	// by blanks.
	letters map[string]bool
}

// phrase is a class and the words after the first one.
type phrase struct {
	class class
	rest  []string
}

// no gap: bounds what is quoted or counts as one word or sentence, not what is read
const (
	// gap is the word in a phrase that stands for up to maxGap others.
	gap    = "~"
	maxGap = 4
	// minPrefix and maxPrefix bound the prefixes that are looked up.
	minPrefix = 2
	maxPrefix = 40
)

func newLexicon(source string) *lexicon {
	l := &lexicon{exact: map[string][]phrase{}, prefix: map[string][]phrase{}, letters: map[string]bool{}}
	for line := range strings.Lines(source) {
		name, phrases, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for p := range strings.SplitSeq(phrases, "|") {
			l.add(class(name), strings.Fields(p))
		}
	}
	return l
}

func (l *lexicon) add(c class, fields []string) {
	var parts []string
	for _, f := range fields {
		parts = append(parts, pieces(f)...)
	}
	if len(parts) == 0 {
		return
	}
	first, rest := parts[0], parts[1:]
	if p, ok := strings.CutSuffix(first, "*"); ok {
		l.prefix[p] = append(l.prefix[p], phrase{c, rest})
		return
	}
	l.exact[first] = append(l.exact[first], phrase{c, rest})
	for _, p := range parts {
		if len(p) > 1 {
			l.letters[strings.TrimSuffix(p, "*")] = true
		}
	}
}

// pieces splits a word as the tokenizer does: each character of a script
// without blanks is one.
func pieces(word string) []string {
	var out []string
	joined := false
	for _, r := range word {
		switch {
		case unbroken(r):
			out = append(out, string(r))
			joined = false
		case joined:
			out[len(out)-1] += string(r)
		case r != '*' || len(out) == 0:
			out = append(out, string(r))
			joined = true
		}
	}
	return out
}

// sense is a class found in a sentence, at the tokens [from, to).
type sense struct {
	class    class
	from, to int
}

// senses finds all classes in the tokens.
func (l *lexicon) senses(ts []token) []sense {
	var out []sense
	for i := range ts {
		for _, p := range l.exact[ts[i].text] {
			out = match(out, ts, i, p)
		}
		for n := range ts[i].text {
			if n >= minPrefix && n <= maxPrefix {
				for _, p := range l.prefix[ts[i].text[:n]] {
					out = match(out, ts, i, p)
				}
			}
		}
		for _, p := range l.prefix[ts[i].text] {
			out = match(out, ts, i, p)
		}
	}
	return out
}

func match(out []sense, ts []token, at int, p phrase) []sense {
	pos, slack := at+1, 0
	for _, word := range p.rest {
		if word == gap {
			slack = maxGap
			continue
		}
		for pos < len(ts) && slack > 0 && !same(ts[pos].text, word) {
			pos++
			slack--
		}
		if pos >= len(ts) || !same(ts[pos].text, word) {
			return out
		}
		pos++
		slack = 0
	}
	return append(out, sense{p.class, at, pos})
}

func same(word, pattern string) bool {
	if p, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(word, p)
	}
	if p, ok := strings.CutPrefix(pattern, "*"); ok {
		return len(word) > len(p)+1 && strings.HasSuffix(word, p)
	}
	return word == pattern
}
