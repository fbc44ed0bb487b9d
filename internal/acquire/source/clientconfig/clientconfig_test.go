package clientconfig

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestConfig runs the cases in testdata/config. The first file of each is a
// client's configuration, the last is "want", which holds the result. $DIR is
// where the files are: the user's home is $DIR/home, programs are in $DIR/bin.
// Words of the comment that begin with "secret:" must not be in the result.
func TestConfig(t *testing.T) {
	cases, err := filepath.Glob("testdata/config/*.txtar")
	sourcetest.Must(t, err)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			sourcetest.Must(t, err)
			last := len(archive.Files) - 1
			if last < 1 || archive.Files[last].Name != "want" {
				t.Fatal("the last file is not want")
			}
			got := runConfig(t, archive)
			if *update {
				archive.Files[last].Data = []byte(got)
				sourcetest.Must(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			if diff := cmp.Diff(string(archive.Files[last].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func runConfig(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	sourcetest.Must(t, err)
	for _, f := range archive.Files {
		if f.Name != "want" {
			text := strings.ReplaceAll(string(f.Data), "$DIR", dir)
			if strings.HasPrefix(f.Name, "bin/") || strings.Contains(f.Name, "/bin/") {
				text = "+x" + text
			}
			sourcetest.PlantOne(t, dir, f.Name, text)
		}
	}
	config := filepath.Join(dir, archive.Files[0].Name)
	if !LooksLike(config) {
		t.Errorf("%s does not look like a configuration", archive.Files[0].Name)
	}
	servers, err := Servers(config, Options{Seed: 1, Home: dir + "/home", Path: dir + "/bin"})
	var b strings.Builder
	if err != nil {
		sourcetest.WantUsage(t, err)
		b.WriteString("error: " + err.Error() + "\n")
	}
	for _, s := range servers {
		showServer(t, &b, s)
	}
	out := strings.ReplaceAll(b.String(), dir, "$DIR")
	for word := range strings.FieldsSeq(string(archive.Comment)) {
		secret, ok := strings.CutPrefix(word, "secret:")
		if ok && strings.Contains(out, secret) {
			t.Errorf("the secret %q is in what came out:\n%s", secret, out)
		}
		if config := string(archive.Files[0].Data); ok && !strings.Contains(config, secret) {
			t.Errorf("the secret %q is not in the configuration", secret)
		}
	}
	return out
}

func showServer(t *testing.T, b *strings.Builder, s Server) {
	t.Helper()
	line := func(key string, words ...string) {
		if len(words) > 0 {
			b.WriteString("  " + key + " " + usererr.ShellLine(words) + "\n")
		}
	}
	b.WriteString(s.Name + "\n")
	if s.Problem != "" {
		b.WriteString("  problem: " + s.Problem + "\n")
	}
	if s.Target.Source != "" {
		line("source", s.Target.Source)
	}
	line("command", s.Target.Command...)
	line("args", s.Target.Args...)
	for _, kv := range s.Target.Env {
		line("env", kv)
	}
	line("replaced", s.Replaced...)
	line("tokens", s.Tokens...)
}

func TestLooksLikeConfig(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{
		"claude_desktop_config.json":  "{}",
		"settings.json":               "not even JSON",
		"other.json":                  `{"mcpServers": {"a": {"command": "npx"}}}`,
		"servers.json":                `{"servers": {"a": {"url": "https://a.example"}}}`,
		"package.json":                `{"name": "x", "mcp": {"a": 1}}`,
		"compose.json":                `{"servers": [1, 2]}`,
		"openapi.json":                `{"servers": {"a": {"host": "b"}}}`,
		"array.json":                  `[]`,
		"broken.json":                 `{"mcpServers": {`,
		"config.toml":                 "[mcp_servers.a]\ncommand = 'npx'\n",
		"sub/config.toml":             "[other]\nx = 1\n",
		"server.py":                   "mcpServers",
		"mcp.json/":                   "",
		"work.code-workspace":         "{}",
		"linked/.mcp.json":            "->../other.json",
		"pyproject.toml":              "[mcp_servers.a]\ncommand = 'npx'\n",
		"deep/claude_code/.mcp.json":  `{}`,
		"deep/claude_code/other.json": strings.Repeat("[", 100_000),
	})
	want := []string{
		"claude_desktop_config.json", "config.toml", "deep/claude_code/.mcp.json", "linked/.mcp.json", "other.json", "servers.json",
		"settings.json", "work.code-workspace",
	}
	var got []string
	sourcetest.Must(t, filepath.WalkDir(dir, func(p string, _ os.DirEntry, err error) error {
		if LooksLike(p) {
			rel, _ := filepath.Rel(dir, p)
			got = append(got, rel)
		}
		return err
	}))
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if LooksLike(filepath.Join(dir, "nowhere", ".mcp.json")) {
		t.Error("a file that is not there looks like a configuration")
	}
}

func TestConfigMistakes(t *testing.T) {
	const secret = "hunter2hunter2"
	deep := strings.Repeat(`{"mcpServers":`, 20_000) + strings.Repeat("}", 20_000)
	for _, test := range []struct{ name, file, data, want string }{
		{"empty", ".mcp.json", "", "line 1"},
		{"cut", ".mcp.json", "{\n\"mcpServers\": {\"a\": {\"env\": {\"T\": \"" + secret, "is not valid JSON (line 2)"},
		{"garbage", ".mcp.json", "{\n\n  " + secret + "}", "line 3"},
		{"array", ".mcp.json", `["` + secret + `"]`, "not valid JSON"},
		{"no servers", ".mcp.json", `{"mcpServers": {}}`, "has no MCP servers"},
		{"servers of another shape", ".mcp.json", `{"mcpServers": ["` + secret + `"]}`, "has no MCP servers"},
		{"NUL", ".mcp.json", "{\"a\": \"\x00\"}", "not a text in UTF-8"},
		{"UTF-16", ".mcp.json", "\xff\xfe{\x00}\x00", "not a text in UTF-8"},
		{"deep", ".mcp.json", deep, "not valid JSON"},
		{"brackets", ".mcp.json", strings.Repeat("[", 1<<20), "not valid JSON"},
		{"large", ".mcp.json", `{"a": "` + strings.Repeat("x", maxSize) + `"}`, "larger than 5.0 MiB"},
		{"toml", "config.toml", "[mcp_servers.a]\ncommand = \"" + secret, "not valid TOML (line 2: a string has no end)"},
		{"many", ".mcp.json", `{"mcpServers": {` + strings.Repeat(`"a": {"command": "x"},`, maxServers+1) + `}}`, "more than 500 servers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := sourcetest.Plant(t, map[string]string{test.file: test.data})
			_, err := Servers(filepath.Join(dir, test.file), Options{})
			sourcetest.WantUsage(t, err, test.want)
			if strings.Contains(err.Error(), secret[:6]) {
				t.Errorf("the error tells a secret: %v", err)
			}
		})
	}
	_, err := Servers(t.TempDir(), Options{})
	sourcetest.WantUsage(t, err, "is a directory")
	_, err = Servers("/nowhere/mcp.json", Options{})
	sourcetest.WantUsage(t, err, "does not exist")
}

func TestConfigHostileServers(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat(`"x",`, 300), ",")
	dir := sourcetest.Plant(t, map[string]string{".mcp.json": `{"mcpServers": {
		"nul": {"command": "npx", "args": ["pkg", "a\u0000b"]},
		"many": {"command": "npx", "args": [` + many + `]},
		"\u001b[31mred\nline\u202e": {"command": "npx", "args": ["pkg"]},
		"types": {"command": 7, "args": {"a": 1}, "env": ["x"], "url": {}},
		"null": null, "text": "npx pkg", "list": ["npx"],
		"names": {"command": "npx", "args": ["pkg"], "env": {"": "a", "A=B": "c", "X\u0000": "d", "OK": "1", "\u001b[0m": "e"}},
		"nothing": {"command": "", "args": ["pkg"]},
		"blank": {"command": " ", "args": []},
		"huge": {"command": "npx", "args": ["pkg", "` + strings.Repeat("Aa1", 40_000) + `"]},
		"flags": {"command": "npx", "args": ["-y", "--", "-p"]},
		"wrapped": {"command": "cmd", "args": ["/c","cmd","/c","cmd","/c","cmd","/c","cmd","/c","npx","x"]}
	}}`})
	servers, err := Servers(filepath.Join(dir, ".mcp.json"), Options{Seed: 1})
	sourcetest.Must(t, err)
	byName := map[string]Server{}
	for _, s := range servers {
		byName[s.Name] = s
		if usererr.BadName(s.Name) != "" || usererr.BadName(s.Problem) != "" {
			t.Errorf("server %q has a name or problem that is no line: %q", s.Name, s.Problem)
		}
		if s.Problem == "" {
			sourcetest.Must(t, kind.Check(s.Target))
		}
		for _, w := range slices.Concat(s.Target.Command, s.Target.Args, s.Target.Env) {
			if len(w) > document.MaxWord+usererr.MaxName {
				t.Errorf("server %q has a word of %d bytes", s.Name, len(w))
			}
		}
	}
	for _, name := range []string{"nul", "many", "types", "null", "text", "list", "nothing", "blank", "flags", "wrapped"} {
		if s, ok := byName[name]; !ok || s.Problem == "" {
			t.Errorf("server %q: %+v, want one with a problem", name, s)
		}
	}
	if diff := cmp.Diff([]string{"OK=1"}, byName["names"].Target.Env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

// TestConfigNeverCopiesAHome puts manifests where a careless search would stop.
func TestConfigNeverCopiesAHome(t *testing.T) {
	dir, err := filepath.EvalSymlinks(sourcetest.Plant(t, map[string]string{
		"package.json":              "{}",
		"users/package.json":        "{}",
		"users/me/package.json":     "{}",
		"users/me/tools/s.js":       "",
		"users/me/own/package.json": "{}",
		"users/me/own/dist/s.js":    "",
		"users/you/package.json":    "{}",
		"users/you/.ssh/":           "",
		"users/you/x/s.js":          "",
		"users/alias":               "->me",
	}))
	sourcetest.Must(t, err)
	opts := Options{Home: filepath.Join(dir, "users/alias")}
	for file, want := range map[string]string{
		"users/me/tools/s.js":    "users/me/tools/s.js",
		"users/you/x/s.js":       "users/you/x/s.js",
		"users/me/own/dist/s.js": "users/me/own",
		"users/me":               "",
		"users":                  "",
		"users/alias":            "",
	} {
		config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"a": map[string]any{"command": "node", "args": []string{filepath.Join(dir, file)}}}})
		sourcetest.Must(t, err)
		sourcetest.PlantOne(t, dir, "mcp.json", string(config))
		servers, err := Servers(filepath.Join(dir, "mcp.json"), opts)
		sourcetest.Must(t, err)
		if got := servers[0].Target.Source; want == "" && got != "" || want != "" && got != filepath.Join(dir, want) {
			t.Errorf("%s: source is %q, want %q (%s)", file, got, want, servers[0].Problem)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("mcp.json", []byte(`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x@1", "--token", "sk-abcdefghijklmnop"], "env": {"A": "${input:b}"}}}} // c`))
	f.Add("mcp.json", []byte(`{"servers": {"a": {"command": "docker", "args": ["run", "-ie", "A=b", "img"]}}, "inputs": [{"id": "b", "type": "promptString"}]}`))
	f.Add("mcp.json", []byte(`{"context_servers": {"a": {"command": {"path": "sh", "args": ["-c", "uvx --from a b"]}}}}`))
	f.Add("config.toml", []byte("[mcp_servers.a]\ncommand = 'uv'\nargs = ['run', '--directory', '/x', 'y']\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		path := "/nowhere/mcp.json"
		if strings.HasSuffix(name, ".toml") {
			path = "/nowhere/config.toml"
		}
		c, err := parse(path, data)
		if err != nil {
			sourcetest.WantUsage(t, err)
			return
		}
		for _, l := range c.launches[:min(len(c.launches), 20)] {
			s := serverOf(l, c, Options{Seed: 1, Home: "/nowhere/home"})
			if usererr.BadName(s.Name+s.Problem) != "" {
				t.Errorf("name %q or problem %q is no line", s.Name, s.Problem)
			}
			if s.Problem != "" {
				continue
			}
			if err := kind.Check(s.Target); err != nil {
				t.Errorf("target %+v: %v", s.Target, err)
			}
			if s.Target.Command != nil && s.Target.Args != nil {
				t.Errorf("target %+v has both a command and arguments", s.Target)
			}
		}
	})
}

// TestConfigTargetResolves checks a project's server up to its command in the
// sandbox.
func TestConfigTargetResolves(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{
		"p/package.json":     `{"name": "p"}`,
		"p/dist/index.js":    "",
		"p/data/x":           "",
		"p/.vscode/mcp.json": `{"servers": {"p": {"command": "node", "args": ["${workspaceFolder}/dist/index.js", "${workspaceFolder}/data"]}}}`,
	})
	servers, err := Servers(filepath.Join(dir, "p/.vscode/mcp.json"), Options{Seed: 1})
	sourcetest.Must(t, err)
	a, err := source.Resolve(t.Context(), servers[0].Target, t.TempDir(), nil)
	sourcetest.Must(t, err)
	want := []string{"node", mcpsf.WorkDir + "/dist/index.js", mcpsf.WorkDir + "/data"}
	if diff := cmp.Diff(want, a.Command); diff != "" || a.Name != "p" {
		t.Errorf("%s: command (-want +got):\n%s", a.Name, diff)
	}
}
