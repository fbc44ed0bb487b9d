package arch

import (
	"fmt"
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
	report(t, checkRooms(rooms()))
	report(t, checkImports(tr, rooms()))
	report(t, checkStdlib(tr, stdlibOnly()))
	report(t, checkRoomDocs(tr, rooms()))
	report(t, ratchet(append(checkFolders(tr), checkTypes(tr)...), crowded()))
	report(t, checkFences(tr, fences()))
	report(t, checkNames(tr))
	report(t, checkLengths(tr))
	report(t, checkComments(tr))
	report(t, checkInit(tr))
	report(t, checkExpressions(tr))
	report(t, checkProcess(tr, exempt()))
	report(t, checkExempt(tr, exempt()))
}

// The README is read in one go: what is longer belongs in docs/.
func TestReadmeIsShort(t *testing.T) {
	const most = 150
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n > most {
		t.Errorf("README.md has %d lines, at most %d", n, most)
	}
}

func report(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}

// TestChecks breaks every rule once: a check that cannot fail keeps nothing.
func TestChecks(t *testing.T) {
	rooms := map[string]room{
		".":                 {},
		"cmd":               {everything: true, gvisor: []string{"cmd"}},
		"internal/judge":    {imports: []string{"internal/sandbox/wire"}, tests: []string{"internal/observe/trace"}},
		"internal/observe":  {},
		"internal/sandbox":  {gvisor: []string{"internal/sandbox/box"}},
		"internal/service":  {imports: []string{"internal/judge"}},
		"internal/safetext": {},
	}
	all := func(tr *tree) []string {
		var problems []string
		problems = append(problems, checkImports(tr, rooms)...)
		problems = append(problems, checkStdlib(tr, []string{".", "internal/judge/query"})...)
		problems = append(problems, checkFolders(tr)...)
		problems = append(problems, checkNames(tr)...)
		problems = append(problems, checkLengths(tr)...)
		problems = append(problems, checkComments(tr)...)
		problems = append(problems, checkInit(tr)...)
		problems = append(problems, checkExpressions(tr)...)
		return append(problems, checkProcess(tr, map[string]string{"internal/sandbox/boot.go": "a reason"})...)
	}
	const self = `"github.com/mcpsf/mcpsf`
	const rules = "// Package rules x.\npackage rules\n"
	for _, tt := range []struct {
		name, file, src, want string
	}{
		{"fine", "internal/judge/rules/x.go", rules + "import _ " + self + `"`, ""},
		{"within a room", "internal/judge/rules/x.go", rules + "import _ " + self + `/internal/judge/query"`, ""},
		{"base", "internal/judge/rules/x.go", rules + "import _ " + self + `/internal/safetext"`, ""},
		{"a folder of another room", "internal/judge/rules/x.go", rules + "import _ " + self + `/internal/sandbox/wire"`, ""},
		{"fine in a test", "internal/judge/rules/x_test.go", "package rules\nimport _ " + self + `/internal/observe/trace"`, ""},
		{"external test", "internal/judge/rules/x_test.go", "package rules_test\nimport _ " + self + `/internal/judge/rules"`, ""},
		{"cmd may do all", "cmd/mcpsf/main.go", "// Command mcpsf.\npackage main\nimport \"os\"\nimport _ " + self + "/internal/observe/trace\"\nfunc main() { os.Exit(0) }", ""},
		{"testdata is not ours", "internal/judge/rules/testdata/x.go", "package broken\nfunc init() {}", ""},
		{"room to room", "internal/judge/rules/x.go", rules + "import _ " + self + `/internal/observe/trace"`, "the room internal/judge may not"},
		{"another folder of an allowed room", "internal/judge/rules/x.go", rules + "import _ " + self + `/internal/sandbox/box"`, "the room internal/judge may not"},
		{"a folder whose name begins like an allowed one", "internal/judge/rules/x.go", rules + "import _ " + self + `/internal/sandbox/wiretap"`, "the room internal/judge may not"},
		{"room to room in a test", "internal/observe/trace/x_test.go", "package trace\nimport _ " + self + `/internal/judge"`, "the room internal/observe may not"},
		{"no room", "internal/extra/x.go", "// Package extra x.\npackage extra", "internal/extra: in no room"},
		{"no room, tests only", "internal/extra/x_test.go", "package extra", "internal/extra: in no room"},
		{"engine outside the sandbox", "internal/judge/rules/x.go", rules + "import _ \"gvisor.dev/gvisor/pkg/log\"", "only the sandbox"},
		{"engine inside", "internal/sandbox/box/x.go", "// Package box x.\npackage box\nimport _ \"gvisor.dev/gvisor/pkg/log\"", ""},
		{"engine beside", "internal/sandbox/wire/x.go", "// Package wire x.\npackage wire\nimport _ \"gvisor.dev/gvisor/pkg/log\"", "only the sandbox"},
		{"library in the vocabulary", "x.go", "// Package mcpsf x.\npackage mcpsf\nimport _ \"golang.org/x/sys/unix\"", "only the standard library"},
		{"library in a pure folder", "internal/judge/query/x.go", "// Package query x.\npackage query\nimport _ \"golang.org/x/sys/unix\"", "only the standard library"},
		{"vocabulary importing a room", "x.go", "// Package mcpsf x.\npackage mcpsf\nimport _ " + self + `/internal/judge"`, "the room . may not"},
		{"vocabulary importing the base", "x.go", "// Package mcpsf x.\npackage mcpsf\nimport _ " + self + `/internal/safetext"`, "the room . may not"},
		{"name", "internal/util/doc.txt", "", "internal/util: name it"},
		{"too long", "internal/judge/rules/x.go", rules + strings.Repeat("//\n", 500), "502 lines"},
		{"long test", "internal/judge/rules/x_test.go", "package rules\n" + strings.Repeat("//\n", 500), ""},
		{"no comment", "internal/judge/rules/x.go", "package rules", "internal/judge/rules: no package comment"},
		{"comment of another shape", "internal/judge/rules/x.go", "// Rules.\npackage rules", "no package comment"},
		{"init", "internal/judge/rules/x.go", rules + "func init() {}", "init function"},
		{"method called init", "internal/judge/rules/x.go", rules + "type t int\nfunc (t) init() {}", ""},
		{"expression", "internal/judge/rules/x.go", rules + "import \"regexp\"\nvar x = regexp.MustCompile(`a`)", "use lazyregexp.New"},
		{"expression of a function", "internal/judge/rules/x.go", rules + "import \"regexp\"\nfunc f() { regexp.MustCompile(`a`) }", ""},
		{"wrong expression", "internal/judge/rules/x.go", rules + "import \"regexp\"\nvar x = lazyregexp.New(`a` + `(`)", "missing closing )"},
		{"exit", "internal/judge/rules/x.go", rules + "import \"os\"\nfunc f() { os.Exit(1) }", "os.Exit belongs in cmd"},
		{"exit under another name", "internal/judge/rules/x.go", rules + "import o \"os\"\nvar f = o.Getenv", "os.Getenv belongs in cmd"},
		{"exit in an exempt file", "internal/sandbox/boot.go", "// Package sandbox x.\npackage sandbox\nimport \"os\"\nfunc f() { os.Exit(1) }", ""},
		{"fatal", "internal/judge/rules/x.go", rules + "import \"log\"\nfunc f() { log.Fatal(1) }", "log.Fatal belongs in cmd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := read(t, fstest.MapFS{tt.file: {Data: []byte(tt.src)}})
			expect(t, all(tr), tt.want)
		})
	}
}

func TestFences(t *testing.T) {
	tr := read(t, fstest.MapFS{
		"a/x.go":      {Data: []byte("package a\nimport _ \"github.com/mcpsf/mcpsf/b\"")},
		"b/x.go":      {Data: []byte("package b\nimport _ \"github.com/mcpsf/mcpsf/c/deep\"")},
		"c/deep/x.go": {Data: []byte("package deep")},
	})
	expect(t, checkFences(tr, []fence{{"a", "c", "no"}}), "a: reaches c: no")
	expect(t, checkFences(tr, []fence{{"b", "a", "no"}}), "")
}

func TestCheckRooms(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rooms map[string]room
		want  string
	}{
		{"fine", map[string]room{"a": {}, "b": {imports: []string{"a/x"}}}, ""},
		{"cycle", map[string]room{"a": {imports: []string{"b/x"}}, "b": {imports: []string{"a/y"}}}, "a: in a cycle with b"},
		{"nowhere", map[string]room{"a": {imports: []string{"gone"}}}, "gone, which is in no room"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect(t, checkRooms(tt.rooms), tt.want) })
	}
}

func TestRoomDocs(t *testing.T) {
	rooms := map[string]room{"internal/judge": {}}
	src := func(doc string) *tree {
		return read(t, fstest.MapFS{"internal/judge/doc.go": {Data: []byte(doc + "package judge")}})
	}
	expect(t, checkRoomDocs(src("// Package judge x.\n//\n// In: a.\n// Out: b.\n// Never: c.\n"), rooms), "")
	expect(t, checkRoomDocs(src("// Package judge x.\n//\n// In: a.\n// Out: b.\n"), rooms), `does not say "Never:"`)
	expect(t, checkRoomDocs(read(t, fstest.MapFS{"internal/judge/x.go": {Data: []byte("package judge")}}), rooms), "has no doc.go")
}

func TestFolders(t *testing.T) {
	crowd := func(doc string) *tree {
		files := fstest.MapFS{"a/doc.go": {Data: []byte(doc + "package a")}}
		for i := range maxFiles {
			files[fmt.Sprintf("a/f%d.go", i)] = &fstest.MapFile{Data: []byte("package a")}
		}
		return read(t, files)
	}
	expect(t, checkFolders(crowd("// Package a x.\n")), "a: 41 Go files")
	expect(t, checkFolders(crowd("// Package a x.\n//\n// Files: one for each thing.\n")), "")
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
