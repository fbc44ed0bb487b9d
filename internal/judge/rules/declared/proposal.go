package declared

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Proposes tells whether a value stands in the schema of a tool: then the server
// itself put it into the caller's mouth.
func (t *Tools) Proposes(tool string) func(value string) bool {
	said, known := t.said[tool]
	if !known {
		for s := range lex.Strings(t.tools[tool].InputSchema) {
			said = append(said, lex.PlainPattern(s))
		}
		t.said[tool] = said
	}
	return func(value string) bool {
		value = lex.PlainPattern(value)
		for _, s := range said {
			if value != "" && strings.Contains(s, value) {
				return true
			}
		}
		return false
	}
}

// DefaultsTo tells whether the server put an address into the caller's mouth: as
// a default or as the only choice. An example is there to be replaced.
func (t *Tools) DefaultsTo(tool, address string) bool {
	var schema any
	raw := t.tools[tool].InputSchema
	if tool == "" || len(raw) == 0 || len(raw) > lex.MaxParams || json.Unmarshal(raw, &schema) != nil {
		return false
	}
	return defaults(schema, address, lex.MaxDepth)
}

func defaults(v any, address string, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return defaults(e, address, depth-1) })
	case map[string]any:
		for key, e := range v {
			if key == "default" || key == "const" || key == "enum" {
				said := false
				lex.WalkValue(e, depth, func(text string, key bool) bool {
					said = said || !key && strings.Contains(strings.ToLower(text), address)
					return !said
				})
				if said {
					return true
				}
			}
			if defaults(e, address, depth-1) {
				return true
			}
		}
	}
	return false
}
