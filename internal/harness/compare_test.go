package harness

import (
	"encoding/json"
	"testing"
)

func TestShuffled(t *testing.T) {
	tests := []struct {
		name, a, b string
		differs    bool
	}{
		{"a set in words", `{"d":{"default":"labels,updated,key"}}`, `{"d":{"default":"key,labels,updated"}}`, false},
		{"a set in a list", `{"d":["b","a"]}`, `{"d":["a","b"]}`, false},
		{"another word", `{"d":"labels,updated"}`, `{"d":"labels,deleted"}`, true},
		{"one more", `{"d":"labels,updated"}`, `{"d":"labels,updated,x"}`, true},
		{"sentences", `{"d":"never delete, always ask"}`, `{"d":"always ask, never delete"}`, true},
		{"words that are not between commas", `{"d":"do not ask"}`, `{"d":"not do ask"}`, true},
	}
	for _, tt := range tests {
		differs := false
		fields(json.RawMessage(tt.a), json.RawMessage(tt.b), func(_, _, _ string) { differs = true })
		if differs != tt.differs {
			t.Errorf("%s: differs is %v", tt.name, differs)
		}
	}
}
