package schema_test

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func TestLanguages(t *testing.T) {
	for _, c := range []struct{ server, tool, description, want string }{
		{"mcp-server-tree-sitter", "find_usage", "", "python"},
		{"code-runner", "run", "Programming language to use", "python"},
		{"notes", "translate", "Language to translate to", "en"},
		{"news", "list", "", "en"},
	} {
		v := schema.Values{Samples: schema.Samples{Server: c.server}}
		if got := v.For(c.tool).Pick("language", c.description); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.tool, c.server, got, c.want)
		}
	}
}
