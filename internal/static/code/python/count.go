package python

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxForeign is how many identifiers with non-ASCII letters are kept.
// gap: source-not-read
const maxForeign = 200

// counter counts the tokens of a file.
type counter struct {
	words syntax.Words
	seen  map[string]bool
}

func newCounter() counter { return counter{seen: map[string]bool{}} }

func (c *counter) ident(w string, line int) {
	c.words.Idents++
	hex := strings.HasPrefix(w, "_0x") || strings.HasPrefix(w, "__0x")
	if hex {
		c.words.Hex++
	}
	if len(w) <= 2 {
		c.words.Short++
	}
	if !c.seen[w] {
		c.seen[w] = true
		c.words.Distinct++
		if hex {
			c.words.HexDistinct++
		}
		if strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) && len(c.words.Foreign) < maxForeign {
			c.words.Foreign = append(c.words.Foreign, syntax.Comment{Text: w, Line: line})
		}
	}
}

func (c *counter) text(body string) {
	c.words.StringBytes += len(body)
	c.words.Escaped += syntax.Needless(body)
}
