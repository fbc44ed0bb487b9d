package obedient

import (
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// toolNames finds tools by their names in any spelling.
type names struct {
	tools []llm.Tool
	bare  map[string][]int
}

func newNames(tools []llm.Tool) names {
	n := names{tools: tools, bare: map[string][]int{}}
	for i := range tools {
		if b := bare(tools[i].Name); b != "" && i < maxTools {
			n.bare[b] = append(n.bare[b], i)
		}
	}
	return n
}

// find is the tool of that name, -1 if there is none. Of several it takes one
// that is not except.
func (n names) find(name string, except int) int {
	found := n.bare[bare(name)]
	for _, i := range found {
		if i != except {
			return i
		}
	}
	if len(found) > 0 {
		return found[0]
	}
	return -1
}

// called is the tool that a call meant.
func (n names) ofCall(c llm.Call) int {
	if c.Tool > 0 && c.Tool <= len(n.tools) && n.tools[c.Tool-1].Name == c.Name {
		return c.Tool - 1
	}
	for i := range n.tools {
		if n.tools[i].Name == c.Name {
			return i
		}
	}
	return -1
}

// bare is a name without what spellings differ in.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// wordsOf splits a name or a sentence into small words: openDocument,
// open_document and open document are the same.
func splitWords(s string, most int) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	last := ' '
	for _, r := range s {
		if len(out) >= most {
			return out
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(last):
			flush()
			word = append(word, unicode.ToLower(r))
		default:
			word = append(word, unicode.ToLower(r))
		}
		last = r
	}
	flush()
	return out
}
