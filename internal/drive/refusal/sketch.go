package refusal

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	// leftOut is what an example leaves out of a list or an object.
	leftOut = lazyregexp.New(`,?\s*(?:\.\.\.|…)\s*,?`)
	// bareName is the name of a member without quotes.
	bareName = lazyregexp.New(`([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)`)
)

// sketchAt reads an example at the beginning of a text that is JSON but for what it
// leaves out and for quotes: {type: 'FeatureCollection', features: [...]}.
func sketchAt(text string) (document string, length int) {
	var out strings.Builder
	var depth, from int
	var quote byte
	outside := func(to int) {
		part := leftOut.ReplaceAllString(text[from:to], "")
		out.WriteString(bareName.ReplaceAllString(part, `$1"$2"$3`))
	}
	for i := 0; i < len(text) && i < maxDocument; i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			inner := text[from:i]
			if quote == '\'' {
				inner = strings.ReplaceAll(inner, `"`, `\"`)
			}
			out.WriteString(`"` + inner + `"`)
			quote, from = 0, i+1
		case quote != 0:
		case c == '"' || c == '\'':
			outside(i)
			quote, from = c, i+1
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				outside(i + 1)
				if document := out.String(); json.Valid([]byte(document)) {
					return document, i + 1
				}
				return "", 0
			}
		}
	}
	return "", 0
}
