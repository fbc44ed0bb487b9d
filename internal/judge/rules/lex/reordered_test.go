package lex

import "testing"

func TestReordered(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Allowed commands: find, grep, ls\nTimeout 3", "Allowed commands: ls, find, grep\nTimeout 3", true},
		{"['a', 'b', 'c']", "['c', 'a', 'b']", true},
		{"find, grep", "find, grep", false},
		{"find, grep", "find, curl", false},
		{"find, grep, grep", "find, find, grep", false},
		{"Never send keys. Ask first.", "Send keys. Never ask first.", false},
		{"never send keys, ask", "ask send keys, never", false},
		{"a, b", "b, a, c", false},
		{"Allowed: read, list. Forbidden: delete, send", "Allowed: send, list. Forbidden: delete, read", false},
		{"", "a", false},
	} {
		if got := Reordered(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: got %v", c.a, c.b, got)
		}
	}
}
