package gateway

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// shout is a change that is recognisable.
func shout(at place, text string) (string, bool) {
	if at.tarball {
		return "T:" + at.version + ":" + text, true
	}
	if rest, ok := strings.CutPrefix(text, "https://reg.example/"); ok {
		return "R:" + rest, true
	}
	return "", false
}

func TestRewriteStrings(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"list", `{"versions":{"1.0.0":{"dist":{"tarball":"a","shasum":"b"}},"2.0.0":{"dist":{"tarball":"c"}}}}`,
			`{"versions":{"1.0.0":{"dist":{"tarball":"T:1.0.0:a","shasum":"b"}},"2.0.0":{"dist":{"tarball":"T:2.0.0:c"}}}}`},
		{"one version", `{"name":"x","dist":{"tarball":"a"}}`, `{"name":"x","dist":{"tarball":"T::a"}}`},
		{"bytes stay", "{ \"n\" : 1.50e+03 ,\n\t\"u\":\"\\u00e9\\/\",\"dist\" : { \"tarball\" : \"a\" } }\n",
			"{ \"n\" : 1.50e+03 ,\n\t\"u\":\"\\u00e9\\/\",\"dist\" : { \"tarball\" : \"T::a\" } }\n"},
		{"escaped key", `{"d\u0069st":{"tar\u0062all":"a"}}`, `{"d\u0069st":{"tar\u0062all":"T::a"}}`},
		{"escaped value", `{"dist":{"tarball":"\u0061\/\""}}`, `{"dist":{"tarball":"T::a/\""}}`},
		{"twice", `{"dist":{"tarball":"a","tarball":"b"}}`, `{"dist":{"tarball":"T::a","tarball":"T::b"}}`},
		{"elsewhere", `{"x":{"dist":{"tarball":"a"}},"versions":{"1":{"x":{"tarball":"a"}}},"tarball":"a","dist":[{"tarball":"a"}]}`,
			`{"x":{"dist":{"tarball":"a"}},"versions":{"1":{"x":{"tarball":"a"}}},"tarball":"a","dist":[{"tarball":"a"}]}`},
		{"text that looks like structure", `{"readme":"\"dist\":{\"tarball\":\"a\"}}}","dist":{"tarball":"a"}}`,
			`{"readme":"\"dist\":{\"tarball\":\"a\"}}}","dist":{"tarball":"T::a"}}`},
		{"after arrays", `{"k":["a",{"b":"c"},[]],"dist":{"files":["tarball","x"],"tarball":"a"}}`,
			`{"k":["a",{"b":"c"},[]],"dist":{"files":["tarball","x"],"tarball":"T::a"}}`},
		{"no text", `{"dist":{"tarball":{"a":"b"}}}`, `{"dist":{"tarball":{"a":"b"}}}`},
		{"the registry's other addresses", `{"dist":{"attestations":{"url":"https://reg.example/-/a"}},"homepage":"https://home.example/"}`,
			`{"dist":{"attestations":{"url":"R:-/a"}},"homepage":"https://home.example/"}`},
		{"scalar", `"https://reg.example/x"`, `"R:x"`},
		{"number", ` 1 `, ` 1 `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rewriteStrings([]byte(tt.in), shout)
			if diff := cmp.Diff(tt.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}

func TestRewriteStringsGrows(t *testing.T) {
	in := []byte(`{"versions":{` + strings.Repeat(`"1":{"dist":{"tarball":""}},`, 1<<15) + `"1":{}}}`)
	long := strings.Repeat("x", 500)
	if _, err := rewriteStrings(in, func(place, string) (string, bool) { return long, true }); err == nil {
		t.Error("a page was let grow without end")
	}
}

// FuzzRewriteStrings compares with encoding/json.
func FuzzRewriteStrings(f *testing.F) {
	f.Add(`{"versions":{"1.0.0":{"dist":{"tarball":"https://reg.example/a"}}},"dist":{"tarball":"b"}}`)
	f.Add(`[{"dist":{"tarball":"https://reg.example/"}},"https://reg.example/x",{},[],""]`)
	f.Add(`{"dist":{"tarball":["https://reg.example/\u0000\\"]},"":{"":null}}`)
	f.Add(strings.Repeat("[", 200) + strings.Repeat("]", 200))
	f.Fuzz(func(t *testing.T, in string) {
		if !json.Valid([]byte(in)) || !utf8.ValidString(in) {
			return
		}
		var before any
		if err := json.Unmarshal([]byte(in), &before); err != nil {
			return
		}
		same, err := rewriteStrings([]byte(in), func(place, string) (string, bool) { return "", false })
		if err != nil || string(same) != in {
			t.Fatalf("changed without need: %q", same)
		}
		out, err := rewriteStrings([]byte(in), shout)
		if err != nil {
			return
		}
		var after any
		if err := json.Unmarshal(out, &after); err != nil {
			t.Fatalf("%q is no longer JSON: %v", out, err)
		}
		// Not go-cmp, which takes exponential time for nested arrays.
		if want := expected(before, nil); !reflect.DeepEqual(want, after) {
			t.Fatalf("%q became %v, want %v", in, after, want)
		}
	})
}

// expected makes the same changes to decoded values. "" stands for a position
// in an array.
func expected(v any, path []string) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = expected(v[k], append(slices.Clip(path), k))
		}
		return v
	case []any:
		for i := range v {
			v[i] = expected(v[i], append(slices.Clip(path), ""))
		}
		return v
	case string:
		at := place{}
		if len(path) == 2 && path[0] == "dist" && path[1] == "tarball" {
			at.tarball = true
		}
		if len(path) == 4 && path[0] == "versions" && path[2] == "dist" && path[3] == "tarball" {
			at = place{tarball: true, version: path[1]}
		}
		if text, ok := shout(at, v); ok {
			return text
		}
		return v
	}
	return v
}
