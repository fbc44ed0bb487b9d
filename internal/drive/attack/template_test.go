package attack

import (
	"encoding/json"
	"strings"
	"testing"
)

// Where the ordinary value has an expression, the product stands in its place.
func TestTemplateInPlace(t *testing.T) {
	for ordinary, around := range map[string][2]string{
		"Hello {{ name }}, bye":   {"Hello {{", "}}, bye"},
		"Dear ${user.name}":       {"Dear ${", "}"},
		"<p><%= title %></p>":     {"<p><%=", "%></p>"},
		"The quick brown fox":     {},
		"{name} is not a bracket": {},
	} {
		raw, err := json.Marshal(ordinary)
		if err != nil {
			t.Fatal(err)
		}
		first := templatePayloads(New(1), Place{Kind: "template", Value: raw})[0]
		text, _ := first.Value.(string)
		inPlace := first.Why == "in place of an expression"
		if inPlace != (around[0] != "") || inPlace && (!strings.HasPrefix(text, around[0]) || !strings.HasSuffix(text, around[1])) {
			t.Errorf("%s: %s (%s)", ordinary, text, first.Why)
		}
	}
}
