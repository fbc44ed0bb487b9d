package uritemplate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/drive/uritemplate"
)

func TestExpand(t *testing.T) {
	values := map[string]string{"name": "../a b", "q": "x&y", "path": "/etc/a b"}
	for template, want := range map[string][2]string{
		"docs://{name}":           {"docs://..%2Fa%20b", "docs://../a b"},
		"docs://{+path}":          {"docs:///etc/a%20b", "docs:///etc/a b"},
		"docs://x{/name}":         {"docs://x/..%2Fa%20b", "docs://x/../a b"},
		"docs://x{?q,name}":       {"docs://x?q=x%26y&name=..%2Fa%20b", "docs://x?q=x&y&name=../a b"},
		"docs://{path*}/{name:3}": {"docs://%2Fetc%2Fa%20b/..%2Fa%20b", "docs:///etc/a b/../a b"},
		"docs://x{#name}":         {"docs://x#../a%20b", "docs://x#../a b"},
		"docs://{other}/y":        {"docs:///y", "docs:///y"},
		"docs://{}/{a b}{":        {"docs://{}/{a b}{", "docs://{}/{a b}{"},
		"":                        {"", ""},
	} {
		parsed := uritemplate.Parse(template)
		if got := [2]string{parsed.Expand(values, true), parsed.Expand(values, false)}; got != want {
			t.Errorf("%s: %q, want %q", template, got, want)
		}
	}
}

func TestVariables(t *testing.T) {
	if got := uritemplate.Parse("a://{x}/{+y*}{?x,z:3}").Variables(); !cmp.Equal(got, []string{"x", "y", "z"}) {
		t.Errorf("%q", got)
	}
	if got := uritemplate.Parse("a://" + strings.Repeat("{a}{b}", 500)).Variables(); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		template, uri string
		want          map[string]string
	}{
		{"docs://{name}", "docs://readme.md", map[string]string{"name": "readme.md"}},
		{"docs://{name}", "docs://a/b", nil},
		{"docs://{+name}", "docs://a/b", map[string]string{"name": "a/b"}},
		{"db://{table}/rows", "db://users/rows", map[string]string{"table": "users"}},
		{"db://{table}/rows", "db://users/columns", nil},
		{"db://x{?q}", "db://x?q=1", nil},
		{"a.b://{x}", "aab://y", nil},
	} {
		got, ok := uritemplate.Parse(tt.template).Match(tt.uri)
		if ok != (tt.want != nil) || !cmp.Equal(got, tt.want) {
			t.Errorf("%s in %s: %v", tt.uri, tt.template, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for uri, want := range map[string]map[string]string{
		"mysql://products/data":            {"piece1": "products", "piece2": "data"},
		"memo:insights":                    {"piece1": "insights"},
		"a://b/c/d/e?x=1&y&x=2":            {"piece1": "c", "piece2": "d", "piece3": "e", "x": "1"},
		"file:///home/dev/a.txt":           {"path": "/home/dev/a.txt"},
		"https://x.example/a?b=c":          {"url": "https://x.example/a?b=c"},
		"no address":                       nil,
		"a://" + strings.Repeat("x", 5000): nil,
	} {
		template, got := uritemplate.Plain(uri)
		if !cmp.Equal(got, want) {
			t.Errorf("%.40s: %v", uri, got)
		}
		if want != nil && template.Expand(got, false) != uri {
			t.Errorf("%s came back as %s", uri, template.Expand(got, false))
		}
	}
}

// Any template that a server lists can be expanded, and an address without
// variables stays unchanged.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"docs://{name}", "a{?b,c*}{#d:3}", "{{a}}", "{+", "a://b/c?d=e&d", "file:", ":", "{a}{a}"} {
		f.Add(seed, "../../x y%2f")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		template := uritemplate.Parse(text)
		values := map[string]string{}
		for _, name := range template.Variables() {
			values[name] = value
		}
		_, _ = template.Match(template.Expand(values, true))
		plain, stands := uritemplate.Plain(text)
		if stands != nil && plain.Expand(stands, false) != text {
			t.Errorf("%q came back as %q", text, plain.Expand(stands, false))
		}
	})
}
