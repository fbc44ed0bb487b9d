package services

import "testing"

// TestGraphIsConsistent looks for types that are referenced but not defined.
func TestGraphIsConsistent(t *testing.T) {
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case object:
			if name, ok := v["name"].(string); ok && v["kind"] != nil && graphType(name) == nil {
				t.Errorf("%s is not a type", name)
			}
			for _, e := range v {
				walk(e)
			}
		case []object:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(graphSchema())
}
