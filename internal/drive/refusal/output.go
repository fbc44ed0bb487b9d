package refusal

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// ofOutput is how the libraries of MCP servers say that what a tool returned is not
// what it declared, or no result at all.
var ofOutput = lazyregexp.New(`(?i)\binvalid tools/call result\b|\boutput validation error\b|\binvalid structured content\b|\bdoes not match the tool(?:'s)? output schema\b|\bvalidation errors? for \w+Output\b`)

// aboutOutput marks the wishes of a text that is about what the tool returned: another
// input does not grant them.
func (r *reader) aboutOutput(text string) []mcpsf.Wish {
	if ofOutput.MatchString(text) {
		for i := range r.wishes {
			r.wishes[i].Output = true
		}
	}
	return r.wishes
}
