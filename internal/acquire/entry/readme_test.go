package entry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf"
)

var ignoreKind = cmpopts.IgnoreUnexported(Snippet{})

func TestSnippets(t *testing.T) {
	for name, tt := range map[string]struct {
		readme string
		want   []Snippet
	}{
		"a client's configuration": {
			"# Files\n\n```json\n{\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"files-mcp\", \"/path/to/dir\"],\n      \"env\": {\"B_KEY\": \"1\", \"A_KEY\": \"2\"}\n    }\n  }\n}\n```\n",
			[]Snippet{{Command: "npx", Args: []string{"-y", "files-mcp", "/path/to/dir"}, Env: []Var{{Name: "B_KEY", Value: "1"}, {Name: "A_KEY", Value: "2"}}, Line: 6}},
		},
		"comments, dots, commas too many and too few": {
			"```jsonc\n{ // all servers\n \"servers\": { \"x\": {\n  \"command\": \"uvx\" /* or pipx */\n  \"args\": [\"x-mcp\", // its name\n   \"--flag\", ...,],\n  \"env\": { \"K\": \"v\", ... },\n } ...\n```\n",
			[]Snippet{{Command: "uvx", Args: []string{"x-mcp", "--flag"}, Env: []Var{{Name: "K", Value: "v"}}, Line: 3}},
		},
		"no braces around it": {
			"```json\n\"command\": \"npx\",\n\"args\": [\"a\"]\n\n\"command\": \"npx\",\n\"args\": [\"b\"]\n```",
			[]Snippet{{Command: "npx", Args: []string{"a"}, Line: 2}, {Command: "npx", Args: []string{"b"}, Line: 5}},
		},
		"command as object, list and line": {
			"```\n{\"command\": {\"path\": \"uvx\", \"args\": [\"a\"], \"env\": {\"K\": null}}}\n{\"command\": [\"bunx\", \"b\"], \"environment\": {\"K\": 3}}\n{\"command\": \"npx -y 'c d'\"}\n```",
			[]Snippet{
				{Command: "uvx", Args: []string{"a"}, Env: []Var{{Name: "K"}}, Line: 2},
				{Args: []string{"a"}, Env: []Var{{Name: "K"}}, Line: 2}, // the inner object alone
				{Command: "bunx", Args: []string{"b"}, Env: []Var{{Name: "K", Value: "3"}}, Line: 3},
				{Command: "npx", Args: []string{"-y", "c d"}, Line: 4},
			},
		},
		"TOML": {
			"```toml\n[mcp_servers.x]\ncommand = \"npx\"\nargs = [\"-y\", \"x\"]\n[mcp_servers.x.env]\nKEY = 'v'\n[mcp_servers.y]\ncommand = \"uvx\"\nargs = [\"y\"]\nenv = { \"A\" = \"b\" }\n```",
			[]Snippet{
				{Command: "npx", Args: []string{"-y", "x"}, Env: []Var{{Name: "KEY", Value: "v"}}, Line: 2},
				{Command: "uvx", Args: []string{"y"}, Env: []Var{{Name: "A", Value: "b"}}, Line: 7},
			},
		},
		"HTML": {
			"<pre>{&quot;command&quot;: &quot;npx&quot;, &quot;args&quot;: [&quot;x&quot;, &quot;&lt;dir&gt;&quot;]}</pre>",
			[]Snippet{{Command: "npx", Args: []string{"x", "<dir>"}, Line: 1}},
		},
		"lines for a shell": {
			"```bash\n# comment\n$ export KEY=abc\nOTHER=1 npx -y x --dir <some dir> \\\n   'a b' # now\ncd x && uvx y | tee log\nls -l\n```\nOr run `npx z` here, not `ls`.\n",
			[]Snippet{
				{Command: "npx", Args: []string{"-y", "x", "--dir", "<some dir>", "a b"}, Env: []Var{{Name: "OTHER", Value: "1"}, {Name: "KEY", Value: "abc"}}, Line: 4},
				{Command: "uvx", Args: []string{"y"}, Env: []Var{{Name: "KEY", Value: "abc"}}, Line: 6},
				{Command: "npx", Args: []string{"z"}, Line: 9},
			},
		},
		"adding to a client": {
			"```sh\nclaude mcp add --scope user x -e KEY=v --env B=w -- npx -y x --flag\ncodex mcp add x uvx y\nclaude mcp add-json z '{\"command\":\"npx\",\"args\":[\"z\"]}'\ncode --add-mcp \"{\\\"name\\\":\\\"q\\\",\\\"command\\\":\\\"npx\\\",\\\"args\\\":[\\\"q\\\"]}\"\n```",
			[]Snippet{
				{Command: "npx", Args: []string{"z"}, Line: 4},
				{Command: "npx", Args: []string{"q"}, Line: 5},
				{Command: "npx", Args: []string{"-y", "x", "--flag"}, Env: []Var{{Name: "KEY", Value: "v"}, {Name: "B", Value: "w"}}, Line: 2},
				{Command: "uvx", Args: []string{"y"}, Line: 3},
				{Command: "claude", Args: []string{"mcp", "add-json", "z", `{"command":"npx","args":["z"]}`}, Line: 4},
			},
		},
		"in a block quote, in a list": {
			"> ```json\n> {\"command\": \"npx\", \"args\": [\"a\"]}\n> ```\n1. Do:\n   ~~~json\n   {\"command\": \"npx\", \"args\": [\"b\"]}\n   ~~~\n",
			[]Snippet{{Command: "npx", Args: []string{"a"}, Line: 2}, {Command: "npx", Args: []string{"b"}, Line: 6}},
		},
		"nothing":  {"A server. It's `good`, isn't it? {see: below}\n```json\n{\"name\": \"x\"}\n```", nil},
		"no end":   {"```json\n{\"command\": \"npx\", \"args\": [\"a", []Snippet{{Command: "npx", Args: []string{"a"}, Line: 2}}},
		"NUL, BOM": {"\ufeff\x00```json\n{\"command\": \"n\x00px\"}", []Snippet{{Command: "n\x00px", Line: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Snippets([]byte(tt.readme)), ignoreKind, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("snippets differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSnippetsAreBounded(t *testing.T) {
	one := `{"command":"npx","args":["a"]}`
	for name, readme := range map[string]string{
		"deep":     strings.Repeat(`{"a":`, 300_000) + one,
		"lists":    strings.Repeat("[", 1<<20),
		"many":     strings.Repeat(one+"\n", 30_000),
		"fields":   "```\n" + strings.Repeat("k: v\n", 200_000),
		"commands": "```\n" + strings.Repeat("command: v\n", 90_000),
		"quotes":   strings.Repeat(`"`, 1<<20),
		"ticks":    strings.Repeat("`", 1<<20),
		"comments": strings.Repeat("/*", 1<<19),
		"slashes":  strings.Repeat(`\`, 1<<20),
		"lines":    "```sh\n" + strings.Repeat("npx a \\\n", 100_000),
		"angles":   "```sh\nnpx " + strings.Repeat("<", 1<<19),
		"headers":  "```\n" + strings.Repeat("[mcp_servers.x]\n", 60_000),
		"huge":     strings.Repeat(one, 1<<18),
	} {
		t.Run(name, func(t *testing.T) {
			// Code that is not linear would exceed the tests' time limit.
			if n := len(Snippets([]byte(readme))); n > maxSnippets {
				t.Errorf("%d snippets", n)
			}
		})
	}
}

func TestForPackage(t *testing.T) {
	type result struct {
		Args []string
		Env  []Var
		OK   bool
	}
	conf := func(command string, args ...string) Snippet {
		return Snippet{Command: command, Args: args, config: true}
	}
	line := func(command string, args ...string) Snippet { return Snippet{Command: command, Args: args} }
	with := func(s Snippet, vars ...Var) Snippet { s.Env = vars; return s }
	key := Var{Name: "X_KEY", Value: "abc"}
	npm, pip := mcpsf.ManagerNPM, mcpsf.ManagerPip
	for name, tt := range map[string]struct {
		manager  mcpsf.Manager
		pkg      string
		bins     []string
		snippets []Snippet
		want     result
	}{
		"npx":                       {npm, "@a/b", nil, []Snippet{conf("npx", "-y", "@a/b@latest", "--x", "/dir")}, result{[]string{"--x", "/dir"}, nil, true}},
		"a path to npx, in Windows": {npm, "b", nil, []Snippet{conf(`C:\Program Files\nodejs\npx.cmd`, "b", "c")}, result{[]string{"c"}, nil, true}},
		"cmd /c":                    {npm, "b", nil, []Snippet{conf("cmd", "/c", "npx", "-y", "b", "c")}, result{[]string{"c"}, nil, true}},
		"sh -c":                     {npm, "b", nil, []Snippet{conf("bash", "-lc", "cd x && K=v npx -y b c")}, result{[]string{"c"}, []Var{{Name: "K", Value: "v"}}, true}},
		"--package":                 {npm, "b", []string{"b-mcp"}, []Snippet{conf("npx", "--package", "b@1", "b-mcp", "c")}, result{[]string{"c"}, nil, true}},
		"pnpm dlx":                  {npm, "b", nil, []Snippet{conf("pnpm", "dlx", "b", "c")}, result{[]string{"c"}, nil, true}},
		"npm exec":                  {npm, "b", nil, []Snippet{conf("npm", "exec", "--yes", "b", "--", "c")}, result{[]string{"c"}, nil, true}},
		"deno":                      {npm, "b", nil, []Snippet{conf("deno", "run", "-A", "npm:b@1", "c")}, result{[]string{"c"}, nil, true}},
		"uvx":                       {pip, "my_pkg", nil, []Snippet{conf("uvx", "--python", "3.12", "my-pkg@latest", "--x")}, result{[]string{"--x"}, nil, true}},
		"uvx --from":                {pip, "my-pkg", nil, []Snippet{conf("uvx", "--from", "my-pkg[cli]>=1", "tool", "--x")}, result{[]string{"--x"}, nil, true}},
		"uvx --from git":            {pip, "my-pkg", nil, []Snippet{conf("uvx", "--from", "git+https://git.example/o/my-pkg.git@main", "tool", "--x")}, result{[]string{"--x"}, nil, true}},
		"uv run":                    {pip, "my-pkg", nil, []Snippet{conf("uv", "--directory", "/x", "run", "my-pkg", "--x")}, result{[]string{"--x"}, nil, true}},
		"uv tool run":               {pip, "my-pkg", nil, []Snippet{conf("uv", "tool", "run", "my-pkg", "--x")}, result{[]string{"--x"}, nil, true}},
		"uv run python -m":          {pip, "my-pkg", nil, []Snippet{conf("uv", "run", "python", "-m", "my_pkg.server", "--x")}, result{[]string{"--x"}, nil, true}},
		"pipx":                      {pip, "my-pkg", nil, []Snippet{conf("pipx", "run", "my-pkg", "--x")}, result{[]string{"--x"}, nil, true}},
		"python -m":                 {pip, "my-pkg", nil, []Snippet{conf("/usr/bin/python3", "-m", "my_pkg", "--x")}, result{[]string{"--x"}, nil, true}},
		"a script":                  {npm, "b", nil, []Snippet{conf("node", "/path/to/b/dist/index.js", "c")}, result{[]string{"c"}, nil, true}},
		"its own program":           {npm, "b", []string{"b-mcp"}, []Snippet{conf("b-mcp", "c")}, result{[]string{"c"}, nil, true}},
		"an image": {npm, "@a/server-git", nil, []Snippet{conf("docker", "run", "-i", "--rm", "-e", "K=v", "-e", "L", "--mount", "type=bind", "mcp/git:1", "/repo")},
			result{[]string{"/repo"}, []Var{{Name: "K", Value: "v"}, {Name: "L"}}, true}},
		"the inspector":     {npm, "b", nil, []Snippet{line("npx", "@modelcontextprotocol/inspector", "-e", "K=v", "npx", "b", "/c")}, result{[]string{"/c"}, []Var{{Name: "K", Value: "v"}}, true}},
		"a list alone":      {npm, "b", nil, []Snippet{conf("", "-y", "b", "c")}, result{[]string{"c"}, nil, true}},
		"another's package": {npm, "b", nil, []Snippet{conf("npx", "-y", "other"), conf("npx", "mcp-remote", "https://x.example")}, result{}},
		"another manager":   {npm, "b", nil, []Snippet{conf("uvx", "b")}, result{}},
		"its old name":      {npm, "linear-mcp", nil, []Snippet{with(conf("npx", "@old/server-linear"), key)}, result{nil, []Var{key}, true}},
		"package before image, configuration before shell, first before second": {npm, "b", nil,
			[]Snippet{conf("docker", "run", "b", "one"), line("npx", "b", "--two"), conf("npx", "b", "three"), conf("npx", "b", "four")}, result{[]string{"three"}, nil, true}},
		"standard streams before HTTP": {npm, "b", nil, []Snippet{conf("npx", "b", "--transport", "http"), conf("npx", "b", "--transport", "stdio")}, result{[]string{"--transport", "stdio"}, nil, true}},
		"HTTP is taken out": {npm, "b", nil, []Snippet{with(conf("npx", "b", "--transport=sse", "--port", "3000", "--keep"), Var{Name: "MCP_TRANSPORT", Value: "http"}, Var{Name: "PORT", Value: "1"}, key)},
			result{[]string{"--keep"}, []Var{key}, true}},
		"a database's port stays":  {npm, "b", nil, []Snippet{conf("npx", "b", "--host", "h", "--port", "3306", "--user", "u")}, result{[]string{"--host", "h", "--port", "3306", "--user", "u"}, nil, true}},
		"logging in is no server":  {npm, "b", nil, []Snippet{line("npx", "b", "init"), line("npx", "b", "--help")}, result{}},
		"no file to make up":       {npm, "b", nil, []Snippet{conf("npx", "b", "--config", "/x/config.json"), conf("npx", "b")}, result{nil, nil, true}},
		"not the author's machine": {npm, "b", nil, []Snippet{with(conf("npx", "b"), Var{Name: "PATH", Value: "/bin"}, key, key)}, result{nil, []Var{key}, true}},
		"a shell in a shell in a shell": {npm, "b", nil,
			[]Snippet{conf("sh", "-c", `sh -c "sh -c 'sh -c \"npx b\"'"`), conf("cmd", "/c"), conf("sh", "-c"), conf("env"), conf("docker", "run"), conf("python", "-m"), conf("uv"), conf("npx")}, result{}},
	} {
		t.Run(name, func(t *testing.T) {
			var got result
			got.Args, got.Env, got.OK = ForPackage(tt.snippets, tt.manager, tt.pkg, tt.bins)
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("differs (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzSnippets(f *testing.F) {
	for _, seed := range []string{
		"```json\n{\"mcpServers\": {\"x\": {\"command\": \"npx\", \"args\": [\"-y\", \"x\"], \"env\": {\"K\": \"v\"}}}}\n```",
		"```toml\n[mcp_servers.x.env]\nK=\"v\"\n```", "```sh\nclaude mcp add x -e K=v -- npx x <a b> 'c' \"d\\\"\n```",
		"{'command': `x`, args: [[[]]", "&quot;command&quot;: &quot;", "sh -c \"npx x\"", "\\u12",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found := Snippets(data)
		if len(found) > maxSnippets {
			t.Errorf("%d snippets", len(found))
		}
		last := strings.Count(string(data), "\n") + 1
		for _, s := range found {
			if len(s.Args) > maxArgs || len(s.Env) > maxVars {
				t.Errorf("too much: %+v", s)
			}
			if !strings.Contains(string(data), "&") && (s.Line < 1 || s.Line > last) {
				t.Errorf("line %d of %d", s.Line, last)
			}
		}
		ForPackage(found, mcpsf.ManagerNPM, "x", []string{"y"})
		ServerJSON(data)
		Smithery(data)
		Dockerfile(data)
	})
}
