package entry

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDiagnose(t *testing.T) {
	env := func(names ...string) Fix { return Fix{Env: names} }
	args := func(args ...string) Fix { return Fix{Args: args} }
	instead := func(args ...string) Fix { return Fix{Args: args, Replace: true} }
	for name, tt := range map[string]struct {
		text  string
		tried Attempt
		want  []Fix // the first ones
	}{
		"a variable":              {text: "Error: FOO_API_KEY environment variable is required", want: []Fix{env("FOO_API_KEY")}},
		"several":                 {text: "Missing required environment variables: FOO_KEY, BAR_URL", want: []Fix{env("FOO_KEY", "BAR_URL")}},
		"a list of them":          {text: "Missing environment variables:\n  - FOO_KEY\n  • BAR\n\nPlease see the README", want: []Fix{env("FOO_KEY", "BAR")}},
		"please":                  {text: "\x1b[31mPlease set FOO_TOKEN\x1b[0m in your environment", want: []Fix{env("FOO_TOKEN")}},
		"one word":                {text: "The environment variable TOKEN is not set", want: []Fix{env("TOKEN")}},
		"KeyError":                {text: "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    key = os.environ[\"FOO\"]\nKeyError: 'FOO'", want: []Fix{env("FOO")}},
		"process.env":             {text: "TypeError: process.env.FOO is undefined", want: []Fix{env("FOO")}},
		"zod":                     {text: "ZodError: [\n  {\n    \"code\": \"invalid_type\",\n    \"path\": [\n      \"FOO_KEY\"\n    ],\n    \"message\": \"Required\"\n  },\n {\"path\":[\"apiUrl\"]}\n]", want: []Fix{env("FOO_KEY", "API_URL")}},
		"zod, pretty":             {text: "✖ Invalid input: expected string, received undefined\n  → at FOO_KEY", want: []Fix{env("FOO_KEY")}},
		"zod, by field":           {text: "Configuration:\n  FOO_KEY: Required", want: []Fix{env("FOO_KEY")}},
		"pydantic":                {text: "pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings\nfoo_key\n  Field required [type=missing, input_value={}, input_type=dict]\nBAR_URL\n  Field required [type=missing]", want: []Fix{env("FOO_KEY", "BAR_URL")}},
		"a remark is no demand":   {text: "FOO_CACHE not set, using the default\nError: BAR_KEY is required", want: []Fix{env("BAR_KEY")}},
		"but better than silence": {text: "warning: FOO_KEY not set", want: []Fix{env("FOO_KEY")}},
		"known ones are not it":   {text: "FOO_KEY and BAR_KEY are required", tried: Attempt{Env: []string{"FOO_KEY=x"}}, want: []Fix{env("BAR_KEY")}},
		"error codes":             {text: "Error: ERR_INVALID_ARG_TYPE invalid\n  code: 'MODULE_NOT_FOUND' is required\n    at FOO_KEY required", want: nil},

		"a database that is not there": {
			text: "Error: connect ECONNREFUSED 127.0.0.1:5432", tried: Attempt{Args: []string{"--dsn", "postgres://app:x@localhost/db"}},
			want: []Fix{instead("--dsn", "sqlite:////path/to/database.db")},
		},
		"a database variable": {
			text: "could not connect to server", tried: Attempt{Env: []string{"A=b", "DATABASE_URL=mysql+pymysql://app:x@localhost/db"}},
			want: []Fix{env("DATABASE_URL=sqlite:////path/to/database.db")},
		},
		"a database that is not found": {
			text: "Failed to connect to SQLite database\nFatal error: Error: unable to open database file", tried: Attempt{Args: []string{"--dsn", "sqlite:////home/dev/data/shop.db"}},
			want: []Fix{instead("--dsn", "sqlite:///path/to/database.db")},
		},
		"another thing that is not there": {text: "connect ECONNREFUSED 127.0.0.1:80", tried: Attempt{Args: []string{"https://a.example"}}, want: nil},

		"usage":                 {text: "Usage: mcp-files <allowed-directory> [more...]", want: []Fix{args("<allowed-directory>")}},
		"usage, optional":       {text: "Usage: mcp-files [allowed-directory] [additional-directories...]", want: []Fix{args("<directory>")}},
		"usage, with node":      {text: "Usage:\n  node dist/index.js <db-path>", want: []Fix{args("<db-path>")}},
		"usage, capitals":       {text: "usage: x [-h] --db-path DB_PATH REPO\nx: error: the following arguments are required: --db-path, REPO", want: []Fix{args("--db-path", "<db-path>", "<REPO>"), args("--db-path", "<DB_PATH>", "<REPO>")}},
		"usage in a line":       {text: "Error: Missing path. Usage: npx @a/b run <path>", tried: Attempt{Args: []string{"run"}}, want: []Fix{args("<path>")}},
		"usage with a command":  {text: "Usage: npx @a/b run <path>", want: []Fix{args("run", "<path>")}},
		"usage of another kind": {text: "Usage telemetry enabled for <you>", want: nil},
		"argparse":              {text: "x: error: the following arguments are required: -r/--repo", want: []Fix{args("--repo", "<repo>")}},
		"commander, argument":   {text: "error: missing required argument 'dir'", want: []Fix{args("<dir>")}},
		"commander, option":     {text: "error: required option '-k, --key <secret>' not specified", want: []Fix{args("--key", "<secret>")}},
		"yargs":                 {text: "Missing required arguments: db, api-key", want: []Fix{args("--db", "<db>", "--api-key", "<api-key>")}},
		"click, option":         {text: "Error: Missing option '--token' / '-t'.", want: []Fix{args("--token", "<token>")}},
		"click, argument":       {text: "╭─ Error ─╮\n│ Missing argument 'PATH'. │", want: []Fix{args("<PATH>")}},
		"cobra":                 {text: `Error: required flag(s) "host", "token" not set`, want: []Fix{args("--host", "<host>", "--token", "<token>")}},
		"clap":                  {text: "error: the following required arguments were not provided:\n  --db <DB>\n  <PATH>\n\nUsage: x --db <DB> <PATH>", want: []Fix{args("--db", "<DB>", "<PATH>")}},
		"in words":              {text: "Please provide a database URL as a command-line argument", want: []Fix{args("<database URL>")}},
		"in words, an option":   {text: "Please provide a base URL with the --apiUrl flag", want: []Fix{args("--apiUrl", "<apiUrl>")}},
		"option or variable":    {text: "API key must be provided via --api-key flag or FOO_API_KEY environment variable", want: []Fix{env("FOO_API_KEY"), args("--api-key", "<api-key>")}},
		"given already":         {text: "Usage: x <dir>", tried: Attempt{Args: []string{"/w"}}, want: nil},
		"unknown option":        {text: "error: unknown option '--foo'", tried: Attempt{Args: []string{"a", "--foo", "v", "--bar"}}, want: []Fix{instead("a", "--bar")}},
		"unrecognized":          {text: "error: unrecognized arguments: --foo v", tried: Attempt{Args: []string{"--foo", "v"}}, want: []Fix{instead()}},
		"commands":              {text: "Usage: x [options] [command]\n\nCommands:\n  http   Start HTTP\n  stdio  Start stdio\n  help", want: []Fix{instead("stdio")}},
		"commands in a line":    {text: "Commands: init, serve, http", tried: Attempt{Args: []string{"--x"}}, want: []Fix{instead("serve", "--x")}},
		"commands of argparse":  {text: "usage: x [-h] {auth,start} ...\nx: error: invalid choice: 'y' (choose from 'auth', 'start')", want: []Fix{args("start")}},

		"commands in quotes": {text: "Unknown command: undefined. Expected 'init' or 'run'.", want: []Fix{instead("run")}},
		"an option's value":  {text: "Unexpected argument 'stdio'.", tried: Attempt{Args: []string{"a", "--transport", "stdio"}}, want: []Fix{instead("a")}},
		"help is no demand":  {text: "Error: no token. Pass `--access-token` or `FOO_ACCESS_TOKEN`.\nEnvironment variables:\n  FOO_ACCESS_TOKEN  the token\n  FOO_PROVIDER  one of a, b\n  --host=foo.example:9000", want: []Fix{env("FOO_ACCESS_TOKEN"), args("--access-token", "<access-token>")}},

		"listens":             {text: "Server listening on port 3000", want: []Fix{env("MCP_TRANSPORT=stdio", "TRANSPORT=stdio", "TRANSPORT_TYPE=stdio", "MCP_TRANSPORT_TYPE=stdio", "MCP_MODE=stdio"), args("--transport", "stdio"), args("--stdio"), args("stdio")}},
		"says how":            {text: "HTTP server running at http://localhost:3000/mcp\nFor local use run with --stdio", want: []Fix{args("--stdio")}},
		"speaks as it should": {text: "Server running on stdio", want: nil},

		"node version":   {text: "x requires Node.js >= 22.1", want: []Fix{{Needs: ">=22.1"}}},
		"node or higher": {text: "Error: Node.js 20 or higher is required", want: []Fix{{Needs: ">=20"}}},
		"python version": {text: "This package requires Python 3.12", want: []Fix{{Needs: ">=3.12"}}},
		"an old node":    {text: "ReferenceError: File is not defined\n    at x", want: []Fix{{Needs: ">=20"}}},
		"module":         {text: "Error: Cannot find module '@a/b/lib/c.js'", want: []Fix{{Missing: "@a/b"}}},
		"module, ESM":    {text: "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /x/y.js", want: []Fix{{Missing: "left-pad"}}},
		"own file":       {text: "Error: Cannot find module '/home/x/dist/index.js'", want: nil},
		"python module":  {text: "ModuleNotFoundError: No module named 'foo.bar'", want: []Fix{{Missing: "foo.bar"}}},
		"an older SDK":   {text: "AttributeError: 'Server' object has no attribute 'list_resources'", want: []Fix{{Missing: "mcp<2"}}},
		"library":        {text: "node: error while loading shared libraries: libx.so.1: cannot open shared object file", want: []Fix{{Missing: "libx.so.1"}}},
		"spawn":          {text: "Error: spawn git ENOENT", want: []Fix{{Program: "git"}}},
		"shell":          {text: "/bin/sh: 1: pandoc: not found", want: []Fix{{Program: "pandoc"}}},
		"python program": {text: "FileNotFoundError: [Errno 2] No such file or directory: 'kubectl'", want: []Fix{{Program: "kubectl"}}},
		"browser":        {text: "Error: browserType.launch: Executable doesn't exist at /root/x/chrome", want: []Fix{{Program: "chromium"}}},
		"nothing":        {text: "Error: connect ECONNREFUSED 127.0.0.1:5432", want: nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := Diagnose(tt.text, "", 1, tt.tried)
			for i := range got {
				if got[i].Why == "" {
					t.Errorf("no reason for %+v", got[i])
				}
				got[i].Why = ""
			}
			if len(tt.want) > 0 && len(got) > len(tt.want) {
				got = got[:len(tt.want)]
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSilentServer(t *testing.T) {
	if got := Diagnose("", "", -1, Attempt{}); len(got) != 4 {
		t.Errorf("a server that says nothing and does not answer: %+v", got)
	}
	if got := Diagnose("connect ECONNREFUSED 127.0.0.1:6379, retrying", "", -1, Attempt{}); len(got) != 0 {
		t.Errorf("a server that waits for another: %+v", got)
	}
	if got := Diagnose("", "", 1, Attempt{}); len(got) != 0 {
		t.Errorf("a server that ended without a word: %+v", got)
	}
}

func TestWhyIsSafe(t *testing.T) {
	got := Diagnose("\x1b]0;title\x07\x1b[2J\u202eFOO_KEY\u200b is\trequired \xff\xfe "+strings.Repeat("ä", 200)+"\r\nnext", "", 1, Attempt{})
	if len(got) != 1 {
		t.Fatalf("got %+v", got)
	}
	why := got[0].Why
	if !strings.HasPrefix(why, "FOO_KEY is required ?") || len(why) > maxWhy || !utf8.ValidString(why) {
		t.Errorf("quoted as %q", why)
	}
}

func TestDiagnoseIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"one line":  strings.Repeat("A_B required ", 1<<18),
		"lines":     strings.Repeat("A_B required\n", 1<<18),
		"empty":     strings.Repeat("\n", 1<<22),
		"escapes":   strings.Repeat("\x1b]", 1<<20),
		"usage":     strings.Repeat("usage: a <b> [c\n", 1<<16),
		"commands":  strings.Repeat("Commands:\n", 1<<17),
		"missing":   "the following arguments are required: " + strings.Repeat("--a, ", 1<<18),
		"not UTF-8": strings.Repeat("\xff", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range Diagnose(text, "", 1, Attempt{}) {
				if len(f.Env) > 2*maxNames || len(f.Args) > 2*maxNames+2 || len(f.Why) > maxWhy {
					t.Errorf("too much: %d variables, %d arguments, %q", len(f.Env), len(f.Args), f.Why)
				}
			}
		})
	}
}

func FuzzDiagnose(f *testing.F) {
	for _, seed := range []string{
		"Usage: x <a> [b] --c D", "the following arguments are required: --a, b", "Missing:\n - A_B", "Commands:\n stdio",
		"\"path\": [\"A\"]", "x\n  Field required", "unknown option '--a'", "requires Node >= 1", "listening on port 80", "\x1b[1mA_B required",
	} {
		f.Add(seed, "--a", 1)
	}
	f.Fuzz(func(t *testing.T, text, arg string, exit int) {
		tried := Attempt{Args: []string{arg}, Env: []string{arg + "=1"}}
		got := Diagnose(text, arg, exit, tried)
		if again := Diagnose(text, arg, exit, tried); fmt.Sprint(got) != fmt.Sprint(again) {
			t.Errorf("not the same twice: %+v, %+v", got, again)
		}
		if len(got) > maxFixes {
			t.Errorf("%d fixes", len(got))
		}
		for _, fix := range got {
			if len(fix.Why) > maxWhy || !utf8.ValidString(fix.Why) || strings.ContainsFunc(fix.Why, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("why is %q", fix.Why)
			}
			Fill(fix.Args, nil, places, fake)
		}
	})
}
