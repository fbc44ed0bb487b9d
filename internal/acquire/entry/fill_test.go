package entry

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var places = Places{Dir: "/w/dir", File: "/w/file.txt", NewFile: "/w/new.txt", Repo: "/w/repo", Database: "/w/shop.db"}

func fake(name, _ string) string { return "FAKE." + strings.ReplaceAll(name, "_", ".") }

func TestFillArguments(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		// Paths, by shape, words, option and extension.
		{"/path/to/allowed/dir", "/w/dir"},
		{"/Users/username/Desktop", "/w/dir"},
		{"/Users/a/Desktop|/path/to/other", "/w/dir"}, // the same place once
		{"${workspaceFolder}", "/w/dir"},
		{"${workspaceFolder}/data", "/w/dir"},
		{`C:\Users\YOU\Documents`, "/w/dir"},
		{"~/notes", "/w/dir"},
		{"<directory>", "/w/dir"},
		{"<path-to-your-vault>", "/w/dir"},
		{"path/to/git/repo", "/w/repo"},
		{"--repository|/path/to/project", "--repository|/w/repo"},
		{"--repo=<path>", "--repo=/w/repo"},
		{"/absolute/path/to/database.db", "/w/shop.db"},
		{"--db-path|~/test.db", "--db-path|/w/shop.db"},
		{"--db-path|<path>", "--db-path|/w/shop.db"},
		{"--db-path|/data/x.duckdb", "--db-path|/w/new.duckdb"},
		{"--db-path|:memory:", "--db-path|:memory:"},
		{"/path/to/readme.md", "/w/file.txt"},
		{"--output-file|/tmp/out/log.txt", "--output-file|/w/new.txt"},
		{"--config|/path/to/config.json", "--config|/w/new.json"},
		{"--kubeconfig|/path/to/your/kubeconfig", "--kubeconfig|/home/dev/.kube/config"},
		{"/home/user/.kube/config", "/home/dev/.kube/config"},
		{"--base-path|/mcp", "--base-path|/mcp"},
		{"/dev/null", "/dev/null"},
		{".", "."},
		// Addresses.
		{"postgresql://user:password@localhost/mydb", "postgresql://user:FAKE.PASSWORD@localhost/mydb"},
		{"postgresql://<user>:<password>@<host>:<port>/<db>?sslmode=require", "postgresql://app:FAKE.PASSWORD@localhost:5432/app?sslmode=require"},
		{"postgres://postgres:[YOUR-PASSWORD]@db.abc.supabase.co:5432/postgres", "postgres://postgres:FAKE.PASSWORD@db.abc.supabase.co:5432/postgres"},
		{"mongodb://...", "mongodb://localhost"},
		{"redis://localhost:6379", "redis://localhost:6379"},
		{"sqlite:///path/to/x.db", "sqlite:///w/shop.db"},
		{"https://api.example.com/v1?key=abc&page=2", "https://api.example.com/v1?key=FAKE.KEY&page=2"},
		{"https://your-company.atlassian.net/wiki", "https://acme-example.atlassian.net/wiki"},
		{"https://<your-domain>", "https://service.example"},
		{"http://[::1]:80/x", "http://[::1]:80/x"},
		// Secrets and other blanks.
		{"--api-key|YOUR_API_KEY", "--api-key|FAKE.API.KEY"},
		{"--figma-api-key=YOUR-KEY|--stdio", "--figma-api-key=FAKE.FIGMA.API.KEY|--stdio"},
		{"--token|ghp_xxxxxxxxxxxx", "--token|FAKE.TOKEN"},
		{"--password|123456", "--password|FAKE.PASSWORD"},
		{"start|<YOUR_NEON_API_KEY>", "start|FAKE.NEON.API.KEY"},
		{"--header|Authorization: Bearer ${AUTH_TOKEN}", "--header|Authorization: Bearer FAKE.AUTH.TOKEN"},
		{"YOUR_ACCOUNT_SID/YOUR_API_KEY:YOUR_API_SECRET", "FAKE.ACCOUNT.SID/FAKE.API.KEY:FAKE.API.SECRET"},
		{"API_KEY=...", "API_KEY=FAKE.API.KEY"},
		{"--max-tokens|1000|--local-timezone=Europe/Berlin", "--max-tokens|1000|--local-timezone=Europe/Berlin"},
		{"--port|<port>|--limit|<n>", "--port|FAKE.PORT|--limit|10"},
		{"--tools|orgs,data", "--tools|orgs,data"},
		{"[options]|...|[more...]|--<flag>", ""},
		{`"redis://localhost"`, "redis://localhost"},
	} {
		got, _ := Fill(strings.Split(tt.args, "|"), nil, places, fake)
		if diff := cmp.Diff(tt.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s: differs (-want +got):\n%s", tt.args, diff)
		}
	}
	got, _ := Fill([]string{"--transport", "<http|stdio>", "--log", "debug|info"}, nil, places, fake)
	if diff := cmp.Diff([]string{"--transport", "stdio", "--log", "debug"}, got); diff != "" {
		t.Errorf("choices differ (-want +got):\n%s", diff)
	}
}

func TestFillVariables(t *testing.T) {
	for _, tt := range []struct {
		name, value, want string
		secret            bool
	}{
		{"GITHUB_TOKEN", "<YOUR_TOKEN>", "FAKE.GITHUB.TOKEN", false},
		{"X_API_KEY", "real-looking-0123", "FAKE.X.API.KEY", false}, // may be a real secret
		{"X_API_KEY", "", "FAKE.X.API.KEY", false},
		{"X", "anything", "FAKE.X", true},
		{"ES_URL", "<your-elasticsearch-url>", "FAKE.ES.URL", false},
		{"JIRA_URL", "https://your-company.atlassian.net", "https://acme-example.atlassian.net", false},
		{"JIRA_USERNAME", "your.email@company.com", "FAKE.JIRA.USERNAME", false},
		{"DATABASE_URL", "postgres://u:p@h/d", "postgres://u:FAKE.DATABASE.URL.PASSWORD@h/d", false},
		{"MEMORY_FILE_PATH", "/path/to/memory.jsonl", "/w/new.jsonl", false},
		{"GOOGLE_APPLICATION_CREDENTIALS", "/path/to/key.json", "/w/new.json", false},
		{"VAULT_PATH", "", "", false},
		{"LOG_LEVEL", "info", "info", false},
		{"DEBUG", "", "", false},
		{"MAX_TOKENS", "4096", "4096", false},
		{"AWS_REGION", "us-east-1", "us-east-1", false},
		{"HEADERS", `{"Authorization": "Bearer ntn_****", "V": "1"}`, `{"Authorization": "Bearer FAKE.HEADERS", "V": "1"}`, false},
		{"AUTH_HEADER", "Bearer ${TOKEN}", "Bearer FAKE.TOKEN", false},
		{"MY_HOST", "api host, https://a.example | https://b.example", "https://a.example", false},
		{"MODE", "optional, [url|local], url is default", "url", false},
		{"NAME=X", "v", "", false},
		{"NUL", "a\x00b", "ab", false},
	} {
		_, got := Fill(nil, []Var{{Name: tt.name, Value: tt.value, Secret: tt.secret}}, places, fake)
		want := []string{tt.name + "=" + tt.want}
		if tt.want == "" {
			want = nil
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s=%s: differs (-want +got):\n%s", tt.name, tt.value, diff)
		}
	}
}

func TestFillTwice(t *testing.T) {
	args := []string{"/path/to/dir", "--repo", "<repo>", "--db", "/x/y.sqlite", "--config", "/a/b.json", "sqlite:///a/b.db", "postgres://u:p@h/d"}
	once, _ := Fill(args, nil, places, fake)
	twice, _ := Fill(once, nil, places, fake)
	if diff := cmp.Diff(once, twice); diff != "" {
		t.Errorf("filling what is full changes it (-once +twice):\n%s", diff)
	}
}

func TestWanted(t *testing.T) {
	fsys := fstest.MapFS{
		"dist/index.js": {Data: []byte(`
			const key = process.env.ACME_API_KEY;
			const b = process.env["ACME_URL"] || "https://api.acme.example";
			const c = process.env.ACME_ACCOUNT_ID ?? "";
			const { ACME_SECRET, PORT, NODE_ENV } = process.env;
			const d = process.env.ACME_API_KEY; const e = process.env.LOG_LEVEL; process.env.MCP_TOKEN`)},
		"src/x/server.py":                 {Data: []byte(`os.environ["PY_TOKEN"]; os.getenv('PY_PASSWORD', ""); os.environ.get("PY_DSN", "x://y"); os.getenv("PY_SITE")`)},
		"node_modules/dep/index.js":       {Data: []byte(`process.env.FOREIGN_TOKEN`)},
		"dist/node_modules/d/i.js":        {Data: []byte(`process.env.FOREIGN_KEY`)},
		"tests/a.js":                      {Data: []byte(`process.env.TEST_TOKEN`)},
		"README.md":                       {Data: []byte(`process.env.README_TOKEN`)},
		"dist/types.d.ts":                 {Data: []byte(`process.env.TYPES_TOKEN`)},
		"dist/large.js":                   {Data: []byte(strings.Repeat(" ", maxSourceFile) + "process.env.LATE_TOKEN")},
		strings.Repeat("d/", 20) + "x.js": {Data: []byte(`process.env.DEEP_TOKEN`)},
	}
	var got []string
	for _, v := range Wanted(fsys) {
		got = append(got, v.Name)
	}
	want := []string{"ACME_API_KEY", "ACME_ACCOUNT_ID", "ACME_SECRET", "PY_TOKEN", "PY_PASSWORD", "PY_SITE"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	many := fstest.MapFS{}
	for i := range 1000 {
		many["a"+strings.Repeat("b", i%200)+string(rune('a'+i%26))+strings.Repeat("c", i/200)+".js"] = &fstest.MapFile{Data: []byte("process.env.A" + strings.Repeat("B", i%50) + "_KEY")}
	}
	if n := len(Wanted(many)); n > maxVars {
		t.Errorf("%d variables", n)
	}
}

func FuzzFill(f *testing.F) {
	for _, seed := range []string{"<a>", "--x=${Y}", "postgres://<u>:<p>@<h>:<p>/<d>?k=<v>", "/path/to/x", "[YOUR KEY]", `{"a": "xxxx"}`, "<<b>>", "${{a}}", "a|b", "sqlite:////x", "e.g. [a|b]"} {
		f.Add(seed, "X_KEY")
		f.Add(seed, "--dir")
	}
	f.Fuzz(func(t *testing.T, value, name string) {
		args, env := Fill([]string{name, value, name + "=" + value}, []Var{{Name: name, Value: value}, {Name: "A_KEY", Value: value}}, places, fake)
		for _, text := range append(args, env...) {
			if strings.ContainsRune(text, 0) {
				t.Errorf("NUL in %q", text)
			}
			if _, rest, ok := strings.Cut(text, "="); ok && isVarName(strings.TrimLeft(text[:len(text)-len(rest)-1], "-")) {
				text = rest // a name may look like anything
			}
			if found := blank.FindString(text); found != "" {
				t.Errorf("%q is left in %q", found, text)
			}
		}
	})
}
