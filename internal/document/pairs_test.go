package document

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPairs(t *testing.T) {
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
	v, err := TOML([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range v.Pairs() {
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
		"project|long":                "two \"quoted\" lines\n",
		"project|literal":             "it's''",
		"project|scripts|notes":       "notes.server:main",
		"tool|odd.name|x":             "y",
		"tool|list|in":                "array of tables",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values differ (-want +got):\n%s", diff)
	}
}
