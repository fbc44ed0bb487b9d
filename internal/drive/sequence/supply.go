package sequence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Supplying returns the names of the tools that put something somewhere and worked with
// one of these values, the latest first: what a tool misses under that name may be what
// they made, and another call may have taken it away.
func (h *History) Supplying(refused string, values []string) []string {
	var found []*Call
	for name, c := range h.latest {
		if name != refused && supplies(&c.Tool) && carries(c.Arguments, values) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *Call) int {
		return cmp.Or(cmp.Compare(b.number, a.number), cmp.Compare(a.Tool.Name, b.Tool.Name))
	})
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = c.Tool.Name
	}
	return names
}

// supplies reports whether a tool puts something somewhere, by the first word of its name
// or of its description: lpush has no verb in its name.
func supplies(tool *mcpsf.Tool) bool {
	if TakesAway(tool.Name) {
		return false
	}
	return slices.ContainsFunc([]string{tool.Name, opening(tool.Description)}, func(text string) bool {
		words := meaning.Words(text)
		if len(words) == 0 {
			return false
		}
		first := meaning.Singular(words[0])
		return first == "set" || Makes(first)
	})
}

// carries reports whether an argument has one of these values.
func carries(arguments json.RawMessage, values []string) bool {
	for _, v := range scalars(arguments) {
		if slices.Contains(values, fmt.Sprint(v)) {
			return true
		}
	}
	return false
}
