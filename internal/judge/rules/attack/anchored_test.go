package attack

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

func TestBaseOf(t *testing.T) {
	for _, c := range []struct {
		opened, given, base string
		ok                  bool
	}{
		{"/srv/docs/a/b.txt", "a/b.txt", "/srv/docs", true},
		{"/srv/docs/..../..../x", "....//....//x", "/srv/docs", true},
		{"/srv/docs/a/b.txt.md", "./a/b.txt", "/srv/docs", true},
		{"/a/b.txt", "a/b.txt", "", true},
		{"/srv/x", "../x", "", false},
		{"/srv/x", "/srv/x", "", false},
		{"/srv/docs/file:/x", "file:///x", "", false},
		{"/srv/docs/c", "a/b.txt", "/srv/docs/c", false},
		{"/srv", ".", "", false},
	} {
		base, ok := baseOf(c.opened, c.given)
		if ok != c.ok || ok && base != c.base {
			t.Errorf("%s in %s: %q, %v", c.given, c.opened, base, ok)
		}
	}
}

func TestKeeps(t *testing.T) {
	scope := declared.Scope{Home: "/home/dev", WorkDir: "/home/dev/code/app", Start: "/app"}
	for _, c := range []struct {
		base, body string
		want       bool
	}{
		{"/home/dev/.notes", `{}`, true},
		{"/home/dev/code/app/data", `{}`, true},
		{"/home/dev/code/app", `{}`, false},
		{"/home/dev", `{}`, false},
		{"", `{}`, false},
		{"/home/dev/code", `{}`, false},
		{"/app", `{}`, false},
		{"/app/data", `{}`, true},
		{"/srv/docs", `{"arguments":{"dir":"/srv/docs","file":"x"}}`, false},
	} {
		if got := keeps(c.base, []byte(c.body), scope); got != c.want {
			t.Errorf("%s with %s: %v", c.base, c.body, got)
		}
	}
}
