package shape

import (
	"encoding/json"
	"strconv"
	"testing"
)

// asText is a value as JSON.
func asText(t testing.TB, v any) string {
	t.Helper()
	p, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(p)
}

// meets checks that a value has everything that a node expects.
func meets(t testing.TB, where string, n *node, v any) {
	t.Helper()
	if n.kind != "" && n.kind != null && !fits(n.kind, v) {
		t.Errorf("%s: %T, want %s", where, v, n.kind)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for name, child := range n.members {
			if got, ok := v[name]; ok {
				meets(t, where+"."+name, child, got)
			} else {
				t.Errorf("%s: no %s", where, name)
			}
		}
	case []any:
		for i := range v {
			if n.element != nil {
				meets(t, where+"."+strconv.Itoa(i), n.element, v[i])
			}
		}
	}
}
