package lenient

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestParseTOML(t *testing.T) {
	const input = `
# comment
top = "level" # with a comment
[project]
name = "notes-server"   
version = '1.0\n'
"quoted key" = "a \"b\" \u00fc \t"
dynamic = [ "x", # = "no"
  ["nested]", { a = "b" }],
  """long
]""",
]
readme = { file = "README.md", content-type = "text/plain" }
urls.home.page = "dotted"
number = 1_000.5
when = 1979-05-27 07:32:00Z
yes = true
long = """
two "quoted" lines
"""
literal = '''it's'''''
[project.scripts]
notes = "notes.server:main"
[ tool . "odd.name" ]
x = "y"
[[tool.list]]
in = "array of tables"
`
	got := map[string]string{}
	pairs, err := TOML([]byte(input))
	sourcetest.Must(t, err)
	for _, kv := range pairs {
		got[strings.Join(kv.Path, "|")] = kv.Value + strings.Join(kv.List, "|")
	}
	want := map[string]string{
		"top":                         "level",
		"project|name":                "notes-server",
		"project|version":             `1.0\n`,
		"project|quoted key":          "a \"b\" \u00fc \t",
		"project|dynamic":             "x|long\n]",
		"project|readme|file":         "README.md",
		"project|readme|content-type": "text/plain",
		"project|urls|home|page":      "dotted",
		"project|long":                "\ntwo \"quoted\" lines\n",
		"project|literal":             "it's''",
		"project|scripts|notes":       "notes.server:main",
		"tool|odd.name|x":             "y",
		"tool|list|in":                "array of tables",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values differ (-want +got):\n%s", diff)
	}
}

func TestParseTOMLMistakes(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"a = \"x", "line 1: a string has no end"},
		{"ok = 'x'\na = \"x\ny\"", "line 2: a string has no end"},
		{"a = '''x", "line 1: a string has no end"},
		{"\n\n[table", "line 3: a table's name has no end"},
		{"[[table]", "line 1: a table's name has no end"},
		{"a", "line 1: a key has no value"},
		{"a =", "line 1: a key has no value"},
		{"= 1", "line 1: a key is expected"},
		{"a = [[1]", "line 1: an array has no end"},
		{"a = {b = 1", "line 1: an inline table has no end"},
		{"a = 'x' b = 'y'", "line 1: something follows the value"},
		{"a = " + strings.Repeat("{a=", 100_000), "line 1: tables are nested too deeply"},
		{strings.Repeat("a.", 100_000) + "a = 1", "line 1: a key has too many parts"},
		{"a = " + strings.Repeat("[", 500_000), "line 1: an array has no end"},
		{`a = ` + strings.Repeat(`"`, 500_000), "line 1: something follows the value"},
	} {
		pairs, err := TOML([]byte(test.in))
		if err == nil || err.Error() != test.want {
			t.Errorf("%.40q: error is %v, want %s", test.in, err, test.want)
		}
		if strings.HasPrefix(test.in, "ok") && len(pairs) == 0 {
			t.Errorf("%.40q: what came before the mistake is lost", test.in)
		}
	}
}
