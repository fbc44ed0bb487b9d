package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// with returns arguments with a text.
func with(text string) json.RawMessage {
	raw, err := json.Marshal(map[string]string{"filter": text, "q": "x"})
	if err != nil {
		panic(err)
	}
	return raw
}

func TestInsideATextGetAndPut(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	for _, tt := range []struct {
		name, text, pointer string
		value               any
		// before is "" if there is nothing, after "" if nothing can be put there.
		before, after string
	}{
		{"a member", `{"author":"x","n":1.50}`, "/filter#/author", `a"; b\`, `"x"`, `{"author":"a\"; b\\","n":1.50}`},
		{"another type", `{"author":"x"}`, "/filter#/author", map[string]any{"$gt": ""}, `"x"`, `{"author":{"$gt":""}}`},
		{"deeper", `[{"a":[1,2]}]`, "/filter#/0/a/1", "y", `2`, `[{"a":[1,"y"]}]`},
		{"one that is not there", `{"a":1}`, "/filter#/b/c", "y", "", `{"a":1,"b":{"c":"y"}}`},
		{"an element that is not there", `[1]`, "/filter#/2", "y", "", ""},
		{"escaped names", `{"a/b":{"~2#":{"#/":1}}}`, "/filter#/a~1b/~02~2/~2~1", "y", `1`, `{"a/b":{"~2#":{"#/":"y"}}}`},
		{"an empty name", `{"":1}`, "/filter#/", "y", `1`, `{"":"y"}`},
		{"twice the same member", `{"a":1,"a":2}`, "/filter#/a", "y", `2`, `{"a":"y"}`},
		{"markup stays as it is", `{"a":"<b>","c":"&"}`, "/filter#/a", "<i>", `"<b>"`, `{"a":"<i>","c":"&"}`},
		{"a text in a text", `{"a":"{\"b\":1}"}`, "/filter#/a#/b", "y", `1`, `{"a":"{\"b\":\"y\"}"}`},
		{"lines", "{\"a\":1}\n{\"a\":2}\n", "/filter#/1/a", "y\n", `2`, "{\"a\":1}\n{\"a\":\"y\\n\"}\n"},
		{"lines with blanks between", "{\"a\":1}\r\n\r\n{\"a\":2}", "/filter#/0/a", "y", `1`, "{\"a\":\"y\"}\n{\"a\":2}"},
		{"no JSON", `author=x`, "/filter#/author", "y", "", ""},
		{"broken JSON", `{"author":`, "/filter#/author", "y", "", ""},
		{"JSON with a rest", `{"author":1} or so`, "/filter#/author", "y", "", ""},
		{"lines that are no objects", "{\"a\":1}\nplain", "/filter#/0/a", "y", "", ""},
		{"a scalar", `7`, "/filter#/a", "y", "", ""},
		{"nested too deeply", deep, "/filter#/a", "y", "", ""},
		{"no text", `{"a":1}`, "/q/x#/a", "y", "", ""},
		{"no argument", `{"a":1}`, "/none#/a", "y", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := with(tt.text)
			before, _ := schema.Get(args, tt.pointer)
			if string(before) != tt.before {
				t.Errorf("there is %s", before)
			}
			put, err := schema.Put(args, tt.pointer, tt.value)
			if tt.after == "" {
				if err == nil {
					t.Errorf("it was put into %s", put)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(with(tt.after)), string(put), cmp.Transformer("", func(s string) (v map[string]string) { _ = json.Unmarshal([]byte(s), &v); return })); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An argument whose name has a "#" is not taken for a text, nor the other way round.
func TestNamesWithANumberSign(t *testing.T) {
	args := json.RawMessage(`{"c":"{\"x\":1}","c#":{"x":2}}`)
	for pointer, want := range map[string]string{"/c#/x": "1", "/c~2/x": "2"} {
		if got, _ := schema.Get(args, pointer); string(got) != want {
			t.Errorf("%s is %s", pointer, got)
		}
	}
	var got []string
	for _, p := range schema.Places(json.RawMessage(`{"type":"object","properties":{"c#":{"type":"object","properties":{"x":{"type":"string"}}}}}`), meaning.Values{}, 1) {
		got = append(got, p.Pointer)
	}
	if diff := cmp.Diff([]string{"/c~2/x"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPutMuchIntoAText(t *testing.T) {
	args := with(`{"a":1}`)
	if _, err := schema.Put(args, "/filter#/a", strings.Repeat("a", 1<<20)); err != nil {
		t.Error(err)
	}
	if _, err := schema.Put(args, "/filter#/a", strings.Repeat("a", 9<<20)); err == nil {
		t.Error("no bound")
	}
}

func TestInside(t *testing.T) {
	about := "JSON with what to find.\nauthor: who wrote it\npath is a file"
	wide := strings.Repeat(`"x",`, 100) + `"x"`
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"members, told by their names", `{"author":"x","path":"a.md","n":1,"on":true,"none":null,"sql_query":"q"}`, []string{
			"/filter#/author name string author: who wrote it", "/filter#/n number number", "/filter#/none unknown string", "/filter#/on bool boolean",
			"/filter#/path path string path is a file", "/filter#/sql_query sql string",
		}},
		{"the first of lists", `{"urls":["a","b","c"],"of":[{"url":"x"}]}`, []string{"/filter#/of/0/url url string", "/filter#/urls/0 url string", "/filter#/urls/1 url string"}},
		{"a list", `["a"]`, []string{"/filter#/0 query string"}},
		{"lines", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}", []string{"/filter#/0/a number number", "/filter#/1/a number number"}},
		{"escaped names", `{"a/b~#":"x"}`, []string{"/filter#/a~1b~0~2 unknown string"}},
		{"a text in a text is a leaf", `{"a":"{\"b\":1}"}`, []string{"/filter#/a unknown string"}},
		{"six levels", `{"a":{"a":{"a":{"a":{"a":{"a":1,"b":{"c":1}}}}}}}`, []string{"/filter#/a/a/a/a/a/a number number"}},
		{"nothing in it", `{}`, nil},
		{"no JSON", `x`, nil},
		{"a long text", `{"a":"` + strings.Repeat("x", 70<<10) + `"}`, nil},
		{"a long list", "[" + wide + "]", []string{"/filter#/0 query string", "/filter#/1 query string"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range schema.Inside(with(tt.text), schema.Place{Pointer: "/filter", Name: "filter", Description: about, Type: "string"}, meaning.Values{}) {
				got = append(got, strings.TrimSpace(strings.Join([]string{p.Pointer, string(p.Kind), p.Type, p.Description}, " ")))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	var many []string
	for i := range 100 {
		many = append(many, `"m`+strings.Repeat("x", i)+`":"y"`)
	}
	text := schema.Place{Pointer: "/filter", Name: "filter", Type: "string", MaxLength: 5000}
	list := schema.Inside(with("{"+strings.Join(many, ",")+"}"), text, meaning.Values{})
	if len(list) != 32 || list[0].MaxLength <= 0 || list[0].MaxLength >= 5000 {
		t.Errorf("%d places, the first with at most %d", len(list), list[0].MaxLength)
	}
	if got := schema.Inside(json.RawMessage(`{"filter":{"a":1}}`), text, meaning.Values{}); got != nil {
		t.Errorf("places in an object: %v", got)
	}
}

// A text is the server's as soon as any part of it is.
func TestInsideATextWhoMadeIt(t *testing.T) {
	ours := schema.Input{JSON: with(`{"a":1,"b":2}`), Server: mcpsf.ServerValues{}}
	mark := func(from ...mcpsf.ValueOrigin) mcpsf.ServerValues {
		out := mcpsf.ServerValues{}
		for _, f := range from {
			out = append(out, mcpsf.ServerValue{Pointer: "/filter", From: f})
		}
		return out
	}
	for _, tt := range []struct {
		name string
		in   mcpsf.ServerValues
		from mcpsf.ValueOrigin // "" for a value of ours
		want mcpsf.ServerValues
	}{
		{"ours in ours", mark(), "", mark()},
		{"ours in the server's", mark(mcpsf.OriginExample), "", mark(mcpsf.OriginExample)},
		{"the server's in ours", mark(), mcpsf.OriginResult, mark(mcpsf.OriginResult)},
		{"another one", mark(mcpsf.OriginDefault), mcpsf.OriginResult, mark(mcpsf.OriginDefault, mcpsf.OriginResult)},
		{"the same again", mark(mcpsf.OriginResult), mcpsf.OriginResult, mark(mcpsf.OriginResult)},
		{"a composed one does not hide a repeated one", mark(mcpsf.OriginResult), mcpsf.OriginSource, mark(mcpsf.OriginResult, mcpsf.OriginSource)},
		{"nor if it was there before", mark(mcpsf.OriginSource), mcpsf.OriginResult, mark(mcpsf.OriginResult, mcpsf.OriginSource)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := schema.Input{JSON: ours.JSON, Server: tt.in}
			out, err := in.With("/filter#/a", "x")
			if tt.from != "" {
				out, err = in.WithServer("/filter#/a", "x", tt.from)
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.Server); diff != "" {
				t.Error(diff)
			}
		})
	}
}
