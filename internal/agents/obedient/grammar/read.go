package grammar

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// vocabulary reads the lexicon once.
//
//nolint:gochecknoglobals // compiled once like a regular expression, and never changed
var vocabulary = sync.OnceValue(func() *promptscan.Reader { return promptscan.NewReader(lexicon) })

//go:embed lexicon.txt
var lexicon string

// gap: agent-bounds
const (
	// maxSearched is how many bytes of a text are searched for paths, maxPaths
	// how many paths are checked.
	maxSearched = 8 << 10
	maxPaths    = 200
	// maxObjects is how many JSON objects are parsed.
	maxObjects = 20
)

// Read splits a text into sentences.
func Read(source string) []Sentence {
	read := vocabulary().Read(blankMarkup(source))
	out := make([]Sentence, len(read))
	for i := range read {
		markClauses(read[i].Words, source)
		out[i] = Sentence{Sentence: read[i], Source: source}
	}
	return out
}

// markClauses also begins a clause behind a dash.
func markClauses(words []promptscan.Word, source string) {
	for i := 1; i < len(words); i++ {
		from, to := words[i-1].End, words[i].Start
		if from >= 0 && from < to && to <= len(source) && len(words[i-1].Text) < 3 && source[from] == ')' {
			words[i].Lead = true // a) do this, 1) do that
		}
		if from >= 0 && from < to && to <= len(source) && strings.ContainsAny(source[from:to], "–—•→|") || from >= 0 && to-from > 2 && to <= len(source) && strings.Contains(source[from:to], " - ") {
			words[i].Lead = true
		}
	}
}

// blankMarkup replaces the brackets of tags by blanks, because they are no part
// of the words beside them. Every byte keeps its position.
func blankMarkup(s string) string {
	if !strings.ContainsAny(s, ">{|") {
		return s
	}
	out := []byte(s)
	for _, at := range row.FindAllStringSubmatchIndex(s, -1) {
		out[at[2]] = '.' // a table row counts as a sentence
	}
	found := literalJSON.FindAllStringSubmatchIndex(s, -1)
	if len(userfile.FindSteering(s[:min(len(s), maxSearched)], maxPaths)) > 0 {
		found = append(found, anyJSON.FindAllStringSubmatchIndex(s, maxObjects)...)
	}
	for _, at := range found {
		for i := at[2]; i < at[3]; i++ {
			if out[i] == '"' {
				out[i] = ' '
			}
		}
	}
	for _, at := range tag.FindAllStringIndex(s, -1) {
		out[at[0]], out[at[1]-1] = ' ', ' '
		if s[at[0]+1] == '/' {
			out[at[0]+1] = ' '
		}
	}
	return string(out)
}

var tag = lazyregexp.New(`</?[A-Za-z_!?|][^<>\n]{0,80}>`)

// literalJSON is JSON to be written somewhere. Its quotation marks would end
// the sentence.
var literalJSON = lazyregexp.New(`(?i)\b(?:write|append|add|put|insert|save|create)\s[^{}.\n]{0,30}(\{[^\n]{2,600}?\}+)`)

// row matches a table row and its last bar.
var row = lazyregexp.New(`(?m)^[ \t]*\|[^\n]*(\|)[ \t]*$`)

// anyJSON matches a JSON object in a text.
var anyJSON = lazyregexp.New(`(\{"[^\n]{2,600}?\}+)`)
