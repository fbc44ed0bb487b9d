package schema

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// rounds is how often a tool is called in the balanced profile.
const rounds = 5

// Every optional parameter has another value than its default in some call.
func TestDefaultsAreVaried(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","required":["q"],"properties":{
		"q":{"type":"string"},
		"recursive":{"type":"boolean","default":false},
		"verify":{"type":"boolean","default":true},
		"limit":{"type":"integer","default":10},
		"ratio":{"anyOf":[{"type":"number"},{"type":"null"}],"default":0.5},
		"style":{"type":"string","default":"json"},
		"mode":{"type":"string","enum":["fast","full"],"default":"fast"}}}`)
	usual := map[string]string{"recursive": "false", "verify": "true", "limit": "10", "ratio": "0.5", "style": "json", "mode": "fast"}
	for seed := range uint64(20) {
		varied, kept := map[string]bool{}, map[string]bool{}
		for n := range rounds {
			in, err := Vary(raw, meaning.Values{}, seed, n)
			if err != nil {
				t.Fatal(err)
			}
			var values map[string]any
			if err := json.Unmarshal(in.JSON, &values); err != nil {
				t.Fatal(err)
			}
			for name := range usual {
				value, there := values[name]
				if there && fmt.Sprint(value) != usual[name] {
					varied[name] = true
				} else {
					kept[name] = true
				}
			}
		}
		for name := range usual {
			if !varied[name] || !kept[name] {
				t.Errorf("seed %d: %s: varied %t, its default %t", seed, name, varied[name], kept[name])
			}
		}
	}
}

// A list without a type has texts in one call and numbers in another.
func TestUntypedList(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","required":["values"],"properties":{"values":{"type":"array"}}}`)
	found := map[string]bool{}
	for n := range rounds {
		in, err := Vary(raw, meaning.Values{}, 1, n)
		if err != nil {
			t.Fatal(err)
		}
		var values struct{ Values []any }
		if err := json.Unmarshal(in.JSON, &values); err != nil || len(values.Values) == 0 {
			t.Fatalf("%s: %v", in.JSON, err)
		}
		found[fmt.Sprintf("%T", values.Values[0])] = true
	}
	if !found["string"] || !found["float64"] {
		t.Errorf("%v", found)
	}
}
