package shape

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func swap(got, to string) mcpsf.Wish {
	return mcpsf.Wish{Kind: mcpsf.WishType, Type: to, Got: got, Loose: true}
}

// TestLearnSwap has "'list' object has no attribute 'get'" and the like.
func TestLearnSwap(t *testing.T) {
	for _, tt := range []struct {
		name string
		base any
		wish mcpsf.Wish
		// want is in the answer after that many refusals.
		want  string
		times int
	}{
		{"all of the answer", []any{map[string]any{"a": 1}}, swap("array", "object"), `{`, 1},
		{"what the source reads comes first", map[string]any{"a": "one", "price": "two"}, swap("string", "number"), `"a":"one"`, 1},
		{"then the rest", map[string]any{"a": "one", "price": "two"}, swap("string", "number"), `"price":"two"`, 2},
		{"inside", map[string]any{"names": []any{map[string]any{"x": 1}}}, swap("object", "string"), `"names":["`, 1},
		{"what the source reads as an object comes last", map[string]any{"holder": map[string]any{"x": 1}, "zone": map[string]any{"x": 1}}, swap("object", "string"), `"zone":"`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, r := New(), asked("GET", "a.example", "/v1/one")
			e.Expect(mcpsf.ExpectedAnswer{Host: "other.example", Shape: obj(map[string]*mcpsf.Shape{"price": kind("number"), "holder": obj(map[string]*mcpsf.Shape{"x": kind("")})})})
			for range tt.times {
				if !tried(e, r, copied(tt.base), tt.wish) {
					t.Fatal("nothing was learned")
				}
			}
			if got := asText(t, e.Complete(r, copied(tt.base))); !strings.HasPrefix(got, tt.want) && !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// copied is a value that may be changed.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			out[name] = copied(e)
		}
		return out
	case []any:
		var out []any
		for _, e := range v {
			out = append(out, copied(e))
		}
		return out
	}
	return v
}

// TestLearnValue has "could not convert string to float: 'Aurora One'".
func TestLearnValue(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/one")
	base := func() any {
		return map[string]any{"price": "Aurora One", "rows": []any{map[string]any{"at": "soon"}}, "name": "n"}
	}
	if !tried(e, r, base(), mcpsf.Wish{Kind: mcpsf.WishType, Type: "number", Value: "Aurora One"}, mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "date-time", Value: "soon"}) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, base())
	if !fits(number, at(t, v, "price")) || !isTime.MatchString(at(t, v, "rows", "0", "at").(string)) || at(t, v, "name") != "n" {
		t.Error(asText(t, v))
	}
	if tried(e, r, base(), mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "date-time", Value: "never said"}) {
		t.Error("a value that is in no answer changed something")
	}
}

// TestLearnBody has the messages of parsers about the beginning of an answer.
func TestLearnBody(t *testing.T) {
	e, r, page := New(), asked("GET", "a.example", "/v1/one"), asked("GET", "a.example", "/page.html")
	if !tried(e, r, map[string]any{"a": "b"}, mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "xml", Loose: true}) {
		t.Fatal("nothing was learned about XML")
	}
	if got := string(e.AsXML(r, map[string]any{"a": "<b>", "l": []any{"x", "y"}})); !strings.HasSuffix(got, "<response><a>&lt;b&gt;</a><l>x</l><l>y</l></response>") {
		t.Error(got)
	}
	e.Begin()
	e.Answered(page)
	if !e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishFormat, Type: "JSON"}}) || !e.WantsJSON(page) || e.WantsJSON(r) {
		t.Error("not learned that a page is to be JSON")
	}
	e.Begin()
	e.Answered(page)
	if e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishFormat, Type: "JSON"}}) {
		t.Error("learned twice")
	}
	e.Freeze()
	other := asked("GET", "a.example", "/other.html")
	e.Answered(other)
	if e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishFormat, Type: "JSON"}}) || e.WantsJSON(other) {
		t.Error("learned after the first session")
	}
}

// TestLearnEntries has "list index out of range".
func TestLearnEntries(t *testing.T) {
	base := func() any {
		return map[string]any{"items": []any{}, "rows": []any{map[string]any{"tags": []any{}}}, "name": "n"}
	}
	r, one := asked("GET", "a.example", "/v1/one"), 1.0
	e := New()
	if !tried(e, r, base(), mcpsf.Wish{Kind: mcpsf.WishMore, Type: "array", Least: &one, Loose: true}) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, base())
	if len(at(t, v, "items").([]any)) == 0 || len(at(t, v, "rows", "0", "tags").([]any)) == 0 {
		t.Error(asText(t, v))
	}
	e = New()
	if !tried(e, r, base(), mcpsf.Wish{Kind: mcpsf.WishMore, Type: "array", Path: []string{"tags"}, Least: &one}) {
		t.Fatal("nothing was learned by a path")
	}
	v = e.Complete(r, base())
	if len(at(t, v, "items").([]any)) != 0 || len(at(t, v, "rows", "0", "tags").([]any)) == 0 {
		t.Error(asText(t, v))
	}
	if tried(New(), r, base(), mcpsf.Wish{Kind: mcpsf.WishMore, Type: "string", Path: []string{"name"}, Least: &one}) {
		t.Error("a text got entries")
	}
}

// TestLearnEntryOfNothing has "Cannot read properties of undefined (reading '0')".
func TestLearnEntryOfNothing(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/one")
	if !tried(e, r, map[string]any{"name": "n"}, mcpsf.Wish{Kind: mcpsf.WishMissing, Path: []string{"0"}, Loose: true}) {
		t.Fatal("nothing was learned")
	}
	if v := e.Complete(r, map[string]any{"name": "n"}); !fits(array, at(t, v, "results")) || at(t, v, "name") != "n" {
		t.Error(asText(t, v))
	}
}

// TestLearnSwapWithin has an answer that must be an object, and then a part of it.
func TestLearnSwapWithin(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/search")
	e.Expect(mcpsf.ExpectedAnswer{Shape: obj(map[string]*mcpsf.Shape{"hits": list(obj(map[string]*mcpsf.Shape{"title": kind("string")})), "name": kind("string")})})
	base := func() any { return []any{map[string]any{"id": 1}} }
	for range 2 {
		if !tried(e, r, base(), swap("array", "object")) {
			t.Fatal("nothing was learned")
		}
	}
	if v := e.Complete(r, base()); !fits(object, at(t, v, "hits")) || !fits(text, at(t, v, "name")) {
		t.Error(asText(t, v))
	}
}

// TestLearnPage has a program that reads the records of a page and got a list, one that
// reads a date that is nowhere, and one that asked two things at once.
func TestLearnPage(t *testing.T) {
	records := func() any {
		return []any{map[string]any{"id": 7}, map[string]any{"id": 8}}
	}
	t.Run("a list becomes a page", func(t *testing.T) {
		e, r := New(), asked("GET", "a.example", "/v1/search")
		if !tried(e, r, records(), mcpsf.Wish{Kind: mcpsf.WishMissing, Type: "array"}) {
			t.Fatal("nothing was learned")
		}
		page := e.Complete(r, records())
		for _, name := range []string{"results", "items", "data"} {
			if id := at(t, page, name, "0", "id"); id != 7 {
				t.Errorf("the first record of %s is %v", name, id)
			}
		}
	})
	t.Run("a date that is nowhere is put into each record", func(t *testing.T) {
		e, r := New(), asked("GET", "a.example", "/v1/search")
		if !tried(e, r, records(), mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "date-time", Path: []string{"createdAt"}}) {
			t.Fatal("nothing was learned")
		}
		if made, _ := at(t, e.Complete(r, records()), "1", "createdAt").(string); !isTime.MatchString(made) {
			t.Error(made)
		}
	})
	t.Run("two answers take turns", func(t *testing.T) {
		e, one, two := New(), asked("GET", "a.example", "/v1/one"), asked("GET", "a.example", "/v1/two")
		for range 2 {
			e.Begin()
			e.Complete(one, map[string]any{"a": 1})
			e.Complete(two, map[string]any{"b": 2})
			if !e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishMissing, Type: "array"}}) {
				t.Fatal("nothing was learned")
			}
		}
		if got := asText(t, e.Complete(two, map[string]any{"b": 2})); !strings.Contains(got, `"results":[`) {
			t.Error(got)
		}
	})
}

// TestLearnTop has "Missing results array in response" about an answer that is a list.
func TestLearnTop(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/search")
	list := func() any { return []any{map[string]any{"id": 7}} }
	wish := mcpsf.Wish{Kind: mcpsf.WishMissing, Type: "array", Path: []string{"results"}, Output: true}
	if !tried(e, r, list(), wish) {
		t.Fatal("nothing was learned")
	}
	page := e.Complete(r, list())
	if id := at(t, page, "results", "0", "id"); id != 7 {
		t.Error(asText(t, page))
	}
}

// TestLearnRenamed has a client that reads created_at and complains about createdAt.
func TestLearnRenamed(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/one")
	record := func() any { return map[string]any{"project_id": nil} }
	if !tried(e, r, record(), mcpsf.Wish{Kind: mcpsf.WishType, Type: "string", Got: "null", Path: []string{"projectId"}}) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, record())
	if !fits(text, at(t, v, "projectId")) || !fits(text, at(t, v, "project_id")) {
		t.Error(asText(t, v))
	}
}
