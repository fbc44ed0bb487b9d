package assesscmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, ".mcp.json")
	text := `{"mcpServers": {"one": {"command": "npx", "args": ["a"], "env": {"K": "config", "L": "config"}}, "two": {"command": "uvx", "args": ["b"]}, "three": {"url": "https://c.example"}}}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	getenv := func(string) string { return "" }
	for _, test := range []struct {
		name   string
		target mcpsf.Target
		only   []string
		want   []string
		err    string
	}{
		{"all", mcpsf.Target{Source: config}, nil, []string{"npm:a", "pypi:b", "https://c.example"}, ""},
		{"some, in the order of the file", mcpsf.Target{Source: config}, []string{"two", "one"}, []string{"npm:a", "pypi:b"}, ""},
		{"unknown", mcpsf.Target{Source: config}, []string{"one", "four"}, nil, `no server "four" in the configuration; it has "one", "two", "three"`},
		{"no configuration", mcpsf.Target{Source: dir}, nil, []string{dir}, ""},
		{"picking from none", mcpsf.Target{Source: dir}, []string{"one"}, nil, "--server picks from a client's configuration"},
		{"a command", mcpsf.Target{Source: config, Command: []string{"x"}}, nil, nil, "leave out what follows --"},
		{"nothing there", mcpsf.Target{Source: filepath.Join(dir, "none", "mcp.json")}, nil, []string{filepath.Join(dir, "none", "mcp.json")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			servers, err := expand(test.target, test.only, 1, getenv)
			if test.err != "" {
				if err == nil || mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error is %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range servers {
				got = append(got, s.Target.Source)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
		})
	}
	servers, err := expand(mcpsf.Target{Source: config, Env: []string{"K=flag"}}, []string{"one"}, 1, getenv)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"L=config", "K=flag"}, servers[0].Target.Env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
