package query

import (
	"strings"
	"testing"
)

func TestAsCode(t *testing.T) {
	for _, c := range []struct {
		query string
		want  bool
	}{
		{"SELECT mc1", true},
		{"SELECT 'mc1'", false},
		{"SELECT 'a''mc1'", false},
		{"SELECT 'a\\'mc1'", false},
		{"SELECT 'a\\' OR mc1 OR ''", false}, // code in some databases, data in others
		{"SELECT 'a' OR mc1", true},
		{"SELECT \"mc1\"", false},
		{"SELECT `mc1`", false},
		{"SELECT [mc1]", false},
		{"SELECT 1 -- mc1", false},
		{"SELECT 1 # mc1", false},
		{"SELECT 1 -- x\n, mc1", true},
		{"SELECT 1 /* mc1 */", false},
		{"SELECT 1 /* ' */, mc1 /* ' */", true},
		{"SELECT $$mc1$$", false},
		{"SELECT $x$ ' $x$, mc1", true},
		{"SELECT mc12", false},
		{"SELECT xmc1", false},
		{"SELECT a.mc1+1", true},
		{"SELECT '", false},
		{"", false},
	} {
		if got := AsCode(c.query, "mc1"); got != c.want {
			t.Errorf("AsCode(%q) = %v", c.query, got)
		}
	}
}

func FuzzAsCode(f *testing.F) {
	f.Add("SELECT a FROM b WHERE c = 'mc1' OR mc1", "mc1")
	f.Add("'\\'$x$/*--", "$")
	f.Fuzz(func(t *testing.T, query, marker string) {
		if (AsCode(query, marker) || InGraphQL(query, marker)) && !strings.Contains(query, marker) {
			t.Errorf("%q is not in %q", marker, query)
		}
	})
}

func TestInGraphQL(t *testing.T) {
	for _, c := range []struct {
		document string
		want     bool
	}{
		{`{ user(login: "a"){__typename} mc1:__typename #") { name } }`, true},
		{`{ user(login: "a\"){__typename} mc1:__typename #") { name } }`, false},
		{`{ user(login: "mc1") { name } }`, false},
		{`{ user(login: """a " mc1""") { name } }`, false},
		{"{ a # mc1\n}", false},
		{"{ a # x\n mc1 }", true},
		{`{ mc12 }`, false},
		{`{ a(b: "`, false},
		{``, false},
	} {
		if got := InGraphQL(c.document, "mc1"); got != c.want {
			t.Errorf("InGraphQL(%q) = %v", c.document, got)
		}
	}
}
