package declared

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Proposes tells whether a value occurs in the schema of a tool. Then the server
// proposed it, and the caller only repeated it.
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

// DefaultsTo tells whether a schema has an address as default or only choice, so
// that callers use it. Examples do not count: callers replace them.
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
