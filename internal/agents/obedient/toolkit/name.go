package toolkit

import (
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Names finds tools by their names in any spelling.
type Names struct {
	Tools []llm.Tool
	Bare  map[string][]int
}

// NewNames indexes the tools of a request.
func NewNames(tools []llm.Tool) Names {
	n := Names{Tools: tools, Bare: map[string][]int{}}
	for i := range tools {
		if b := Bare(tools[i].Name); b != "" && i < MaxTools {
			n.Bare[b] = append(n.Bare[b], i)
		}
	}
	return n
}

// Find is the tool of that name, -1 if there is none. It prefers one that is
// not except.
func (n Names) Find(name string, except int) int {
	found := n.Bare[Bare(name)]
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

// OfCall is the tool of a call.
func (n Names) OfCall(c llm.Call) int {
	if c.Tool > 0 && c.Tool <= len(n.Tools) && n.Tools[c.Tool-1].Name == c.Name {
		return c.Tool - 1
	}
	for i := range n.Tools {
		if n.Tools[i].Name == c.Name {
			return i
		}
	}
	return -1
}

// Bare is a name without differences in spelling.
func Bare(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// SplitWords splits a name or a sentence into lower-case words: openDocument,
// open_document and open document are the same.
func SplitWords(s string, most int) []string {
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
