package schema

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Choosing returns an input with the values that a text wants, as far as the schema lists
// them: of a choice, or of a switch. No other value of a text is taken.
func Choosing(raw json.RawMessage, in Input, wanted map[string]string) Input {
	if len(wanted) == 0 {
		return in
	}
	for _, p := range Places(raw, meaning.Values{}, 0) {
		value, ok := wanted[p.Name]
		if !ok {
			continue
		}
		var choice any
		switch {
		case slices.ContainsFunc(p.Enum, func(e json.RawMessage) bool { return string(e) == strconv.Quote(value) }):
			choice = value
		case p.Type == "boolean" && (value == "true" || value == "false"):
			choice = value == "true"
		default:
			continue
		}
		if out, err := in.WithServer(p.Pointer, choice, mcpsf.OriginRefusal); err == nil {
			in = out
		}
	}
	return in
}
