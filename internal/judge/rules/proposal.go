package rules

import (
	"encoding/json"
	"slices"
	"strings"
)

// proposes tells whether a value stands in the schema of a tool: then the server
// itself put it into the caller's mouth.
func (t *toolTexts) proposes(tool string) func(value string) bool {
	said, known := t.said[tool]
	if !known {
		for s := range stringsIn(t.tools[tool].InputSchema) {
			said = append(said, plainPattern(s))
		}
		t.said[tool] = said
	}
	return func(value string) bool {
		value = plainPattern(value)
		for _, s := range said {
			if value != "" && strings.Contains(s, value) {
				return true
			}
		}
		return false
	}
}

// plainPattern drops the signs of regular expressions, so that a value made
// to fit `^/home/[.]ssh$` is recognised in it.
func plainPattern(s string) string {
	const signs = `\^$[](){}?*+|`
	if !strings.ContainsAny(s, signs) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(signs, r) {
			return -1
		}
		return r
	}, s)
}

// defaultsTo tells whether the server put an address into the caller's mouth: as
// a default or as the only choice. An example is there to be replaced.
func (t *toolTexts) defaultsTo(tool, address string) bool {
	var schema any
	raw := t.tools[tool].InputSchema
	if tool == "" || len(raw) == 0 || len(raw) > maxParams || json.Unmarshal(raw, &schema) != nil {
		return false
	}
	return defaults(schema, address, maxDepth)
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
				walkStrings(e, depth, func(text string, key bool) bool {
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
