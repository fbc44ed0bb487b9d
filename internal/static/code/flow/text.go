package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// constant is a text that is known.
func constant(s string) []ir.FlowPart {
	if s == "" {
		return nil
	}
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return []ir.FlowPart{{Text: s}}
}

// join makes a text of its parts. What is not known is empty.
func (b *walker) join(kids []*syntax.Node) []ir.FlowPart {
	var out []ir.FlowPart
	for _, k := range kids {
		v := b.expr(k)
		if !k.Is(syntax.String) {
			b.use(v.node, ir.UseShown)
		}
		if len(out) < maxParts {
			out = append(out, textOf(v)...)
		}
	}
	return out[:min(len(out), maxParts)]
}

func textOf(v val) []ir.FlowPart {
	if len(v.text) > 0 {
		return v.text
	}
	return []ir.FlowPart{{Node: v.node}}
}

// mayAddress reports whether a text is one, or can become one.
func mayAddress(text []ir.FlowPart) bool {
	for _, p := range text {
		if p.Node != 0 {
			return true
		}
	}
	return isAddress(text)
}

// isAddress reports whether a text can be part of an address.
func isAddress(text []ir.FlowPart) bool {
	for _, p := range text {
		if strings.Contains(p.Text, "/") {
			return true
		}
	}
	return false
}
