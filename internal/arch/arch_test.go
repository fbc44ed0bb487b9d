package arch

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRepository(t *testing.T) {
	tr := read(t, os.DirFS("../.."))
	if len(tr.files) < 20 {
		t.Fatalf("only %d Go files found; is this the repository?", len(tr.files))
	}
	report(t, checkTable(table(), stages()))
	report(t, checkImports(tr, table()))
	report(t, checkFences(tr, fences()))
	report(t, checkNames(tr))
	report(t, checkLengths(tr))
	report(t, checkComments(tr))
	report(t, checkInit(tr))
	report(t, checkProcess(tr, exempt()))
	report(t, checkExempt(tr, exempt()))
}

func report(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}

// TestChecks breaks every rule once: a check that cannot fail keeps nothing.
func TestChecks(t *testing.T) {
	rows := map[string]row{
		".":                      {stdlib: true},
		"cmd/mcpsf":              {everything: true},
		"internal/rules":         {imports: []string{"."}, tests: []string{"internal/trace"}},
		"internal/trace":         {imports: []string{"."}},
		"internal/sandbox":       {imports: []string{"."}, gvisor: true},
		"internal/pipeline":      {imports: []string{"internal/sandbox/inner"}},
		"internal/server":        {imports: []string{"internal/pipeline"}},
		"internal/sandbox/inner": {},
	}
	all := func(tr *tree) []string {
		var problems []string
		problems = append(problems, checkImports(tr, rows)...)
		problems = append(problems, checkFences(tr, fences())...)
		problems = append(problems, checkNames(tr)...)
		problems = append(problems, checkLengths(tr)...)
		problems = append(problems, checkComments(tr)...)
		problems = append(problems, checkInit(tr)...)
		return append(problems, checkProcess(tr, map[string]string{"internal/sandbox/boot.go": "a reason"})...)
	}
	const self = `"github.com/mcpsf/mcpsf`
	for _, tt := range []struct {
		name, file, src, want string
	}{
		{"fine", "internal/rules/x.go", "// Package rules x.\npackage rules\nimport _ " + self + `"`, ""},
		{"fine in a test", "internal/rules/x_test.go", "package rules\nimport _ " + self + `/internal/trace"`, ""},
		{"external test", "internal/rules/x_test.go", "package rules_test\nimport _ " + self + `/internal/rules"`, ""},
		{"cmd may do all", "cmd/mcpsf/main.go", "// Command mcpsf.\npackage main\nimport \"os\"\nimport _ " + self + "/internal/trace\"\nfunc main() { os.Exit(0) }", ""},
		{"testdata is not ours", "internal/rules/testdata/x.go", "package broken\nfunc init() {}", ""},
		{"stage to stage", "internal/rules/x.go", "// Package rules x.\npackage rules\nimport _ " + self + `/internal/trace"`, "not in the row of internal/rules"},
		{"stage to stage in a test", "internal/trace/x_test.go", "package trace\nimport _ " + self + `/internal/rules"`, "not in the row of internal/trace"},
		{"no row", "internal/extra/x.go", "// Package extra x.\npackage extra", "internal/extra: no row"},
		{"no row, tests only", "internal/extra/x_test.go", "package extra", "internal/extra: no row"},
		{"engine outside the sandbox", "internal/rules/x.go", "// Package rules x.\npackage rules\nimport _ \"gvisor.dev/gvisor/pkg/log\"", "only the sandbox"},
		{"engine inside", "internal/sandbox/x.go", "// Package sandbox x.\npackage sandbox\nimport _ \"gvisor.dev/gvisor/pkg/log\"", ""},
		{"library in the vocabulary", "x.go", "// Package mcpsf x.\npackage mcpsf\nimport _ \"golang.org/x/sys/unix\"", "only the standard library"},
		{"vocabulary importing a stage", "x.go", "// Package mcpsf x.\npackage mcpsf\nimport _ " + self + `/internal/rules"`, "not in the row of ."},
		{"name", "internal/util/doc.txt", "", "internal/util: name it"},
		{"too long", "internal/rules/x.go", "// Package rules x.\npackage rules\n" + strings.Repeat("//\n", 500), "502 lines"},
		{"long test", "internal/rules/x_test.go", "package rules\n" + strings.Repeat("//\n", 500), ""},
		{"no comment", "internal/rules/x.go", "package rules", "internal/rules: no package comment"},
		{"comment of another shape", "internal/rules/x.go", "// Rules.\npackage rules", "no package comment"},
		{"init", "internal/rules/x.go", "// Package rules x.\npackage rules\nfunc init() {}", "init function"},
		{"method called init", "internal/rules/x.go", "// Package rules x.\npackage rules\ntype t int\nfunc (t) init() {}", ""},
		{"exit", "internal/rules/x.go", "// Package rules x.\npackage rules\nimport \"os\"\nfunc f() { os.Exit(1) }", "os.Exit belongs in cmd"},
		{"exit under another name", "internal/rules/x.go", "// Package rules x.\npackage rules\nimport o \"os\"\nvar f = o.Getenv", "os.Getenv belongs in cmd"},
		{"exit in an exempt file", "internal/sandbox/boot.go", "// Package sandbox x.\npackage sandbox\nimport \"os\"\nfunc f() { os.Exit(1) }", ""},
		{"fatal", "internal/rules/x.go", "// Package rules x.\npackage rules\nimport \"log\"\nfunc f() { log.Fatal(1) }", "log.Fatal belongs in cmd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := read(t, fstest.MapFS{tt.file: {Data: []byte(tt.src)}})
			expect(t, all(tr), tt.want)
		})
	}
	t.Run("fence", func(t *testing.T) {
		tr := read(t, fstest.MapFS{
			"internal/server/x.go":        {Data: []byte("// Package server x.\npackage server\nimport _ " + self + `/internal/pipeline"`)},
			"internal/pipeline/x.go":      {Data: []byte("// Package pipeline x.\npackage pipeline\nimport _ " + self + `/internal/sandbox/inner"`)},
			"internal/sandbox/inner/x.go": {Data: []byte("// Package inner x.\npackage inner")},
		})
		expect(t, all(tr), "internal/server: reaches internal/sandbox")
	})
}

func TestCheckTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows map[string]row
		want string
	}{
		{"fine", map[string]row{"a": {}, "b": {}, "c": {imports: []string{"a", "b"}}}, ""},
		{"stages", map[string]row{"a": {imports: []string{"b"}}, "b": {}}, "a: a stage may not import the stage b"},
		{"cycle", map[string]row{"c": {imports: []string{"d"}}, "d": {imports: []string{"c"}}}, "in a cycle"},
		{"nowhere", map[string]row{"c": {tests: []string{"gone"}}}, "gone, which has no row"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect(t, checkTable(tt.rows, []string{"a", "b"}), tt.want) })
	}
}

func TestCheckExempt(t *testing.T) {
	tr := read(t, fstest.MapFS{
		"a/used.go":   {Data: []byte("package a\nimport \"os\"\nfunc f() { os.Exit(1) }")},
		"a/unused.go": {Data: []byte("package a")},
	})
	expect(t, checkExempt(tr, map[string]string{"a/used.go": "x"}), "")
	expect(t, checkExempt(tr, map[string]string{"a/unused.go": "x"}), "without need")
	expect(t, checkExempt(tr, map[string]string{"a/gone.go": "x"}), "no such file")
}

// expect wants exactly the problem named, or none.
func expect(t *testing.T, problems []string, want string) {
	t.Helper()
	got := strings.Join(problems, "\n")
	if want == "" && got != "" {
		t.Errorf("unexpected: %s", got)
	}
	if !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
