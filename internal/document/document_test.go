package document

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// plain is a value as encoding/json would have it, numbers as text.
func plain(v *Value) any {
	switch {
	case v.IsObject():
		out := map[string]any{}
		for k, item := range v.Fields() {
			out[k] = plain(item)
		}
		return out
	case v.IsList():
		out := []any{}
		for item := range v.Items() {
			out = append(out, plain(item))
		}
		return out
	case v == nil || v.kind == none:
		return nil
	}
	return v.Word()
}

func TestJSON(t *testing.T) {
	for in, want := range map[string]any{
		`{"a":"b","c":[1,-2.5e+3,true,null,{}]}`: map[string]any{"a": "b", "c": []any{"1", "-2.5e+3", "true", nil, map[string]any{}}},
		" \r\n\t[ ] ":                            []any{},
		`"\u0041\ud83d\ude00\ud83d\n\/\"\\x"`:    "A\U0001f600\ufffd\n/\"\\x",
		"\ufeff" + `{"bom":1}`:                   map[string]any{"bom": "1"},
		`{"a":1,"A":2,"a":3}`:                    map[string]any{"a": "3", "A": "2"},
		`1e999999999`:                            "1e999999999",
	} {
		v, err := JSON([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if diff := cmp.Diff(want, plain(v)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
	}
}

// What was read before a mistake is there, and the mistake says where it is.
func TestMistakes(t *testing.T) {
	type reader func([]byte) (*Value, error)
	yaml := func(data []byte) (*Value, error) {
		docs, err := YAML(data)
		if len(docs) == 0 {
			return nil, err
		}
		return docs[0], err
	}
	for name, tt := range map[string]struct {
		read     reader
		in, want string // what "a" is
		mistake  string
	}{
		"json, the end":      {JSON, "{\"a\":\"b\",\n\"c\":", "b", "line 2: it ends too early"},
		"json, a comment":    {JSON, `{"a":"b" /* no */}`, "b", "line 1: it is not JSON"},
		"json, two texts":    {JSON, `{"a":"b"}{}`, "b", "line 1: something follows its end"},
		"json, a bare word":  {JSON, `{"a":"b","c":nope}`, "b", "line 1: it is not JSON"},
		"json, a last comma": {JSON, `{"a":"b",}`, "b", "line 1: it is not JSON"},
		"json, an escape":    {JSON, `{"a":"b","c":"\x41"}`, "b", "line 1: it is not JSON"},
		"json, a line break": {JSON, "{\"a\":\"b\",\"c\":\"d\n\"}", "b", "line 1: it is not JSON"},
		"json, deep":         {JSON, `{"a":"b","c":` + strings.Repeat("[", 1_000_000), "b", "line 1: it is nested deeper than 128 levels"},
		"json, many":         {JSON, `{"a":"b","c":[` + strings.Repeat("1,", MaxValues), "b", "line 1: it has more than 500000 values"},
		"toml, the end":      {TOML, "a = 'b'\nc = [1,", "b", "line 2: it ends too early"},
		"toml, no value":     {TOML, "a = 'b'\nc =\n", "b", "line 2: it is not TOML"},
		"toml, two values":   {TOML, "a = 'b' 'c'", "b", "line 1: something follows the value"},
		"toml, deep":         {TOML, "a = 'b'\nc = " + strings.Repeat("[", 5_000_000), "b", "line 2: it is nested deeper than 128 levels"},
		"toml, deep tables":  {TOML, "a = 'b'\nc = " + strings.Repeat("{a=", 1_000_000), "b", "line 2: it is nested deeper than 128 levels"},
		"toml, a long key":   {TOML, "a = 'b'\n" + strings.Repeat("a.", 1_000_000) + "a = 1", "b", "line 2: it is nested deeper than 128 levels"},
		"toml, a long table": {TOML, "a = 'b'\n[" + strings.Repeat("a.", 1_000_000) + "a]", "b", "line 2: it is nested deeper than 128 levels"},
		"toml, many":         {TOML, "a = 'b'\nc = [" + strings.Repeat("1,", MaxValues), "b", "line 2: it has more than 500000 values"},
		"yaml, an alias":     {yaml, "x: &x [1]\na: b\nc: *x\n", "b", ErrAlias.Error()},
		"yaml, a circle":     {yaml, "a: b\nc: &c {d: *c}\n", "b", ErrAlias.Error()},
		"yaml, deep":         {yaml, "a: b\nc: " + strings.Repeat("[", 200) + strings.Repeat("]", 200), "b", "it is nested deeper than 128 levels"},
		"yaml, many":         {yaml, "a: b\nc: [" + strings.Repeat("1,", 2*MaxValues), "", "it has more than 500000 values"},
		"yaml, none":         {yaml, "a: [\n", "", "it is not YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := tt.read([]byte(tt.in))
			if err == nil || err.Error() != tt.mistake {
				t.Errorf("the mistake is %v, want %s", err, tt.mistake)
			}
			if got := v.Get("a").Text(); got != tt.want {
				t.Errorf("a is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestJSONC(t *testing.T) {
	v, err := JSONC([]byte("// one\n{\"a\": [1, 2, /* three */],\n\"b\": \"//\",\n}\n// end"))
	want := map[string]any{"a": []any{"1", "2"}, "b": "//"}
	if diff := cmp.Diff(want, plain(v)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestTOML(t *testing.T) {
	v, err := TOML([]byte(`# comment
a = "x\t\u00e9\"" # comment
b.c."d.e" = 'raw \n'
date = 1979-05-27 07:32:00Z # comment
list = [ "1", # one
  { n = 1, o.p = true }, [2, 3,], ]
multi = """
one \
   two"""
quotes = """x"""""
raw = '''
a'b'''

[t]
k = 1
[[p]]
name = "a"
  [p.deps]
  x = ">1"
[[p]]
name = "b"
[t.u]
v = {}
[t]
l = 2
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"a": "x\té\"", "b": map[string]any{"c": map[string]any{"d.e": `raw \n`}}, "date": "1979-05-27 07:32:00Z",
		"list":  []any{"1", map[string]any{"n": "1", "o": map[string]any{"p": "true"}}, []any{"2", "3"}},
		"multi": "one two", "quotes": `x""`, "raw": "a'b",
		"t": map[string]any{"k": "1", "u": map[string]any{"v": map[string]any{}}, "l": "2"},
		"p": []any{map[string]any{"name": "a", "deps": map[string]any{"x": ">1"}}, map[string]any{"name": "b"}},
	}
	if diff := cmp.Diff(want, plain(v)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A table with many keys finds them as fast as one with few, and the last one
// counts.
func TestTOMLIndex(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		b.WriteString("[t" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + "]\nk = 1\n")
	}
	b.WriteString("[ta]\nk = 'last'\n")
	v, err := TOML([]byte(b.String()))
	if got := v.Get("ta", "k").Text(); err != nil || got != "last" {
		t.Errorf("ta.k is %q, %v; want last", got, err)
	}
}

func TestYAML(t *testing.T) {
	docs, err := YAML([]byte("a: 1.0\nb: {c: [x, 'y'], d: true, e: 'true'}\n? long\n: v\nf:\n- g\n---\nsecond: 1\n"))
	if err != nil || len(docs) != 2 {
		t.Fatalf("%d documents, %v; want 2", len(docs), err)
	}
	want := map[string]any{"a": "1.0", "b": map[string]any{"c": []any{"x", "y"}, "d": "true", "e": "true"}, "long": "v", "f": []any{"g"}}
	if diff := cmp.Diff(want, plain(docs[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d, e := docs[0].Get("b", "d"), docs[0].Get("b", "e"); !d.True() || e.True() {
		t.Errorf("d is true: %t, e is true: %t; want only d", d.True(), e.True())
	}
	if docs, err := YAML([]byte(strings.Repeat("---\na: 1\n", 9))); err == nil || len(docs) != maxYAML {
		t.Errorf("%d documents, %v; want %d and a mistake", len(docs), err, maxYAML)
	}
}

// Whatever is absent is absent all the way down.
func TestNil(t *testing.T) {
	var v *Value
	for range v.Items() {
		t.Error("nil has an item")
	}
	for range v.Fields() {
		t.Error("nil has a field")
	}
	if v.Get("a", "b") != nil || v.At(0) != nil || v.Text() != "" || v.Word() != "" || v.True() || v.IsList() || v.IsObject() || v.Texts() != nil {
		t.Error("nil has something")
	}
	one := &Value{kind: text, text: "x"}
	if one.Get("a") != nil || one.At(0) != nil || one.True() {
		t.Error("a string has something in it")
	}
}

// What the standard library takes is taken, with the same strings in it.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x",null]}`, `{"a":"\ud800","a":2}`, `[[[[]]]]`, `"\u00e9`, "{}\n", `-`, `{"a" 1}`, `[1 2]`, `1.2.3`, "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := JSON(data)
		_, _ = JSONC(data)
		var want any
		dec := json.NewDecoder(strings.NewReader(string(data)))
		dec.UseNumber()
		if !utf8.Valid(data) || !json.Valid(data) || dec.Decode(&want) != nil || len(data) > 10_000 {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v, but it is JSON", data, err)
		}
		got, _ := json.Marshal(plain(v))
		expected, _ := json.Marshal(textual(want))
		if string(got) != string(expected) {
			t.Errorf("%q is %s, want %s", data, got, expected)
		}
	})
}

// textual has text in the place of numbers and truth values.
func textual(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = textual(v[k])
		}
	case []any:
		for i := range v {
			v[i] = textual(v[i])
		}
	case json.Number:
		return v.String()
	case bool:
		return map[bool]string{true: "true", false: "false"}[v]
	}
	return v
}

func FuzzTOML(f *testing.F) {
	for _, s := range []string{"a = 1\n[b]\nc = [1, {d = '''x'''}]\n", "[[a]]\n[a.b]\n[[a]]\nx=\"\\u0041\"\"", "a.b.c = \"\"\"x\\\n y\"\"\"", "[a", "a = {", "\"", "a=\"\\U11111111\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := TOML(data)
		if v == nil || err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v", data, v, err)
		}
		plain(v)
	})
}

func FuzzYAML(f *testing.F) {
	for _, s := range []string{"a: [1, {b: c}]\n", "- &a x\n- *a\n", "? a\n: b\n", "---\n---\n", "a: |\n  x\n", "!!binary x", "\t", "{", "a: &a {<<: *a}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, _ := YAML(data)
		for _, v := range docs {
			plain(v)
		}
	})
}
