package toolset

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func tool(schema string) mcpsf.Tool {
	return mcpsf.Tool{Name: "t", Description: "d", InputSchema: json.RawMessage(schema)}
}

func changes(old, now mcpsf.Tool) []Change {
	return Compare(Of([]mcpsf.Tool{old}), Of([]mcpsf.Tool{now}))
}

func TestCompareSchemas(t *testing.T) {
	property := func(s string) string { return `{"type":"object","properties":{"a":` + s + `}}` }
	const base = `{"type":"object","properties":{"city":{"type":"string","description":"x"},"n":{"type":"integer"}},"required":["city","n"]}`
	for _, tt := range []struct {
		name, old, now string
		want           []string // "! " marks what is wider, "~ " wording
	}{
		{"the same", base, base, nil},
		{"other order and spaces", base, ` {"required":["n","city"], "properties":{"n":{"type":"integer"},"city":{"description":"x","type":"string"}},"type":"object"}`, nil},
		{"other numbers", property(`{"maximum":1}`), property(`{"maximum":1.0e0}`), nil},
		{"words in the schema", base, strings.Replace(base, `"x"`, `"y"`, 1), []string{"~ is described in other words"}},
		{"a property called description", property(`{"type":"string"}`), `{"type":"object","properties":{"a":{"type":"string"},"description":{"type":"string"}}}`, []string{`! has a new parameter "description"`}},
		{"new parameter", property(`{}`), `{"type":"object","properties":{"a":{},"b":{}}}`, []string{`! has a new parameter "b"`}},
		{"new required one", property(`{}`), `{"type":"object","properties":{"a":{},"b":{}},"required":["b"]}`, []string{`! has a new required parameter "b"`}},
		{"below", property(`{"type":"object"}`), property(`{"type":"object","properties":{"c":{}}}`), []string{`! has a new parameter "a/c"`}},
		{"in a list", property(`{"type":"array","items":{"type":"string"}}`), property(`{"type":"array","items":{"type":"object"}}`), []string{`! its parameter "a/[]" is object, was string`}},
		{"parameter gone", `{"properties":{"a":{},"b":{}}}`, `{"properties":{"a":{}}}`, []string{`lost the parameter "b"`}},
		{"wider type", property(`{"type":"string"}`), property(`{"type":["string","object"]}`), []string{`! its parameter "a" is object or string, was string`}},
		{"any type", property(`{"type":"string"}`), property(`{}`), []string{`! its parameter "a" is any, was string`}},
		{"narrower type", property(`{"type":["string","null"]}`), property(`{"type":"string"}`), []string{`its parameter "a" is string, was null or string`}},
		{"integer of numbers", property(`{"type":"number"}`), property(`{"type":"integer"}`), []string{`its parameter "a" is integer, was number`}},
		{"required", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"required":["a"]}`, []string{`its parameter "a" is required now`}},
		{"more values", property(`{"enum":["x"]}`), property(`{"enum":["x","y"]}`), []string{`! its parameter "a" has enum ["x","y"], was ["x"]`}},
		{"fewer values", property(`{"enum":["x","y"]}`), property(`{"enum":["x"]}`), []string{`its parameter "a" has enum ["x"], was ["x","y"]`}},
		{"values in other order", property(`{"enum":["x","y"]}`), property(`{"enum":["y","x"]}`), nil},
		{"longer", property(`{"maxLength":5}`), property(`{"maxLength":9}`), []string{`! its parameter "a" has maxLength 9, was 5`}},
		{"shorter", property(`{"maxLength":9}`), property(`{"maxLength":5}`), []string{`its parameter "a" has maxLength 5, was 9`}},
		{"lower", property(`{"minimum":5}`), property(`{"minimum":-1}`), []string{`! its parameter "a" has minimum -1, was 5`}},
		{"no pattern", property(`{"pattern":"^a$"}`), property(`{}`), []string{`! its parameter "a" has no pattern any more, was "^a$"`}},
		{"a pattern", property(`{}`), property(`{"pattern":"^a$"}`), []string{`its parameter "a" has pattern "^a$" now`}},
		{"another pattern", property(`{"pattern":"^a$"}`), property(`{"pattern":"."}`), []string{`! its parameter "a" has pattern ".", was "^a$"`}},
		{"another default", property(`{"default":"/srv"}`), property(`{"default":"/"}`), []string{`its parameter "a" has default "/", was "/srv"`}},
		{"closed", `{"type":"object"}`, `{"type":"object","additionalProperties":false}`, []string{`its input has additionalProperties false now`}},
		{"opened", `{"type":"object","additionalProperties":false}`, `{"type":"object"}`, []string{`! its input has no additionalProperties any more, was false`}},
		{"open as before", `{"type":"object"}`, `{"type":"object","additionalProperties":true}`, []string{`its input has additionalProperties true now`}},
		{"a key twice", property(`{"type":"string"}`), `{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"object"}}}`, []string{`! has a new parameter "a (2)"`}},
		{"broken", base, `{"type":`, []string{`its input`, `lost the parameter "city"`, `lost the parameter "n"`}},
	} {
		var got []string
		for _, c := range changes(tool(tt.old), tool(tt.now)) {
			got = append(got, map[bool]string{true: "! "}[c.Wider]+map[bool]string{true: "~ "}[c.Wording]+c.What)
		}
		if tt.name == "broken" {
			if len(got) == 0 {
				t.Error("a broken schema is the same as a good one")
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCompareSets(t *testing.T) {
	old := Of([]mcpsf.Tool{{Name: "a"}, {Name: "b", Description: "x"}, {Name: "c", Annotations: json.RawMessage(`{"readOnlyHint":true,"title":"C"}`)}})
	now := Of([]mcpsf.Tool{{Name: "d"}, {Name: "b", Description: "y"}, {Name: "c", Annotations: json.RawMessage(`{"title":"c","readOnlyHint":false}`)}, {Name: "d"}})
	want := []Change{
		{Tool: "a", What: "is gone"},
		{Tool: "b", What: "is described in other words", Wording: true},
		{Tool: "c", What: `is annotated {"readOnlyHint":false}, was {"readOnlyHint":true}`, Wider: true},
		{Tool: "d", What: "is new", Wider: true},
		{Tool: "d (2)", What: "is new", Wider: true},
	}
	if diff := cmp.Diff(want, Compare(old, now)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A very deep, wide or long schema has a small canonical form, and differences still show.
func TestBounds(t *testing.T) {
	deep := func(leaf string) string {
		return strings.Repeat(`{"properties":{"a":`, 3000) + leaf + strings.Repeat(`}}`, 3000)
	}
	if got := changes(tool(deep(`{"type":"string"}`)), tool(deep(`{"type":"object"}`))); len(got) == 0 || !got[0].Wider {
		t.Errorf("deep: %+v", got)
	}
	wide := func(last string) string {
		var b strings.Builder
		for n := range 5000 {
			fmt.Fprintf(&b, `"x%d":{},`, n)
		}
		return `{"properties":{` + b.String() + `"` + last + `":{}}}`
	}
	if got := changes(tool(wide("y")), tool(wide("z"))); len(got) == 0 || !got[0].Wider {
		t.Errorf("wide: %+v", got)
	}
	long := strings.Repeat("n", 1<<20)
	kept := Of([]mcpsf.Tool{{Name: long, InputSchema: json.RawMessage(`{"properties":{"` + long + `":{"pattern":"` + long + `"}}}`)}})
	if text, err := json.Marshal(kept); err != nil || len(text) > 4096 {
		t.Errorf("%d bytes are kept, %v", len(text), err)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":["string"],"enum":[1,1.0]}},"required":["a"]}`, `{}`)
	f.Add(`{"items":[{"title":"x"}],"anyOf":[{}]}`, `[1]`)
	f.Add(`{"properties":{"":{"properties":true}}}`, `"x"`)
	f.Fuzz(func(t *testing.T, schema, annotations string) {
		one := tool(schema)
		one.Annotations = json.RawMessage(annotations)
		if got := changes(one, one); len(got) > 0 {
			t.Errorf("differs from itself: %+v", got)
		}
		text, err := json.Marshal(Of([]mcpsf.Tool{one}))
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]Tool
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if got := Compare(back, Of([]mcpsf.Tool{one})); len(got) > 0 {
			t.Errorf("differs from what was kept: %+v", got)
		}
	})
}
