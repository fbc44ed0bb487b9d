package schema_test

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// What an application says of a table, of an address with places for values and of two
// values that must differ is done.
func TestMendOfApplications(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema, input, want string
		wish                mcpsf.Wish
	}{
		{`{"properties":{"csv":{"type":"string"},"id":{"type":"string"}}}`, `{"csv":"name,age\nalex,30\nbo,41\n","id":"L1"}`,
			`{"csv":"name,age,email\nalex,30,alex@example.com\nbo,41,alex1@example.com\n","id":"L1"}`, mcpsf.Wish{Kind: mcpsf.WishMissing, Path: []string{"email"}, Type: mcpsf.TypeColumn}},
		{`{"properties":{"csv":{"type":"string"}}}`, `{"csv":"no table"}`, `{"csv":"no table"}`,
			mcpsf.Wish{Kind: mcpsf.WishMissing, Path: []string{"email"}, Type: mcpsf.TypeColumn}},
		{`{"properties":{"tiles":{"type":"string"}}}`, `{"tiles":"example"}`, `{"tiles":"https://www.example.com/{z}/{x}/{y}"}`,
			mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatContains, Accepted: []string{"/{z}/{x}/{y}"}, Path: []string{"tiles"}}},
		{`{"properties":{"text":{"type":"string"}}}`, `{"text":"example"}`, `{"text":"Hello {name} {day}"}`,
			mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatContains, Accepted: []string{"/{name}/{day}"}, Path: []string{"text"}}},
		{`{"properties":{"source":{"type":"string"},"target":{"type":"string"}}}`, `{"source":"en","target":"en"}`, `{"source":"en","target":"de"}`,
			mcpsf.Wish{Kind: mcpsf.WishNew, Path: []string{"target"}}},
		{`{"properties":{"document":{"type":"string"},"memory":{"type":"string"}}}`, `{"document":"Hello","memory":"m"}`, `{"document":"<note><to>alex</to></note>","memory":"m"}`,
			mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "xml", Loose: true}},
		{`{"properties":{"memory":{"type":"string"}}}`, `{"memory":"m"}`, `{"memory":"m"}`, mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "xml", Loose: true}},
		{`{"properties":{"project":{"type":"string"},"version":{"type":"string"}}}`, `{"project":"example","version":"1.0.0"}`, `{"project":"example","version":"1.0.1"}`,
			mcpsf.Wish{Kind: mcpsf.WishNew, Path: []string{"tag"}, Value: "v1.0.0"}},
		{`{"properties":{"document":{"type":"string"}}}`, `{"document":"name: example\n"}`, `{"document":"[{\"name\":\"example\"}]"}`,
			mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "yaml list"}},
	} {
		got := schema.Mend([]byte(c.schema), schema.Input{JSON: []byte(c.input)}, []mcpsf.Wish{c.wish}, meaning.Values{}.WithDefaults(), 1)
		if string(got.Input.JSON) != c.want {
			t.Errorf("%+v: %s, want %s", c.wish, got.Input.JSON, c.want)
		}
	}
}

// Of what a text wants only a choice or a switch is taken.
func TestChoosing(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"properties":{"kind":{"enum":["inline","link"]},"deep":{"type":"boolean"},"url":{"type":"string"}}}`)
	got := schema.Choosing(raw, schema.Input{JSON: []byte(`{"kind":"inline"}`)}, map[string]string{"kind": "link", "deep": "true", "url": "http://stranger.example/"})
	if string(got.JSON) != `{"deep":true,"kind":"link"}` {
		t.Error(string(got.JSON))
	}
}
