package entry

import (
	"strings"
	"testing"
)

func TestInner(t *testing.T) {
	for command, want := range map[string]string{
		"npx -y @a/server@1.2.3 --flag x":                  "@a/server: _ --flag x",
		"npx --package=@a/server tool x":                   "@a/server: tool x",
		"npx -p @a/server -- tool x":                       "@a/server: tool x",
		"npm exec server":                                  "server: _",
		"pnpm dlx server --flag":                           "server: _ --flag",
		"bunx server":                                      "server: _",
		"uvx mcp-server-git --repository .":                "mcp-server-git: mcp-server-git --repository .",
		"uvx mcp-server-git@latest":                        "mcp-server-git: mcp-server-git",
		"uvx --python 3.12 --from mcp-server[cli]==1 tool": "mcp-server: tool",
		"uv tool run --from . tool x":                      ".: tool x",
		"pipx run --spec mcp-server tool":                  "mcp-server: tool",
		"uv run server.py --flag":                          ": python3 server.py --flag",
		"uv run -m a.b --flag":                             ": python3 -m a.b --flag",
		"uv run --with mcp --module a.b":                   ": python3 -m a.b",
		"uv run grep -m 1 x":                               ": grep -m 1 x",
		"uv run python -m a":                               ": python -m a",
		"uv --directory /x run --frozen tool x":            ": tool x",
		"uv run --with mcp mcp run server.py":              ": mcp run server.py",
		"poetry run tool":                                  ": tool",
		"python3 -m a":                                     "",
		"node x.js":                                        "",
		"npm start":                                        "",
		"uv sync":                                          "",
		"npx":                                              "",
		"npx -y":                                           "",
		"uv run":                                           "",
	} {
		pkg, words, ok := Inner(strings.Fields(command))
		got := ""
		if ok {
			if words[0] == "" {
				words[0] = "_"
			}
			got = pkg + ": " + strings.Join(words, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
