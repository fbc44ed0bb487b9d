package rules

import (
	"fmt"
	"go/ast"

	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"

	goparser "go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// good is a valid rule; the tests break it line by line.
const good = `id: sample
title: A sample
category: behaviour
severity: low
grade: proved
weight: 5
kinds: [file.open]
when: Path == "/x"
message: 'opened {{.Path}}'
rationale: because
remediation: stop
tests:
  - name: yes
    events: [{kind: file.open, phase: start, file: {path: /x}}]
    expect: hit
  - name: no
    events: [{kind: file.open, phase: start, file: {path: /y}}]
    expect: miss
`

func loadText(text string) (*Set, error) {
	return Load(fstest.MapFS{"sample.yaml": {Data: []byte(text)}})
}

func TestLoadTellsEveryProblemWithItsLine(t *testing.T) {
	tests := []struct {
		name     string
		old, new string
		want     string
	}{
		{"unknown key", "weight: 5", "wieght: 5", `sample.yaml:6: field wieght not found in document`},
		{"id and name of the file", "id: sample", "id: simple", `sample.yaml:1: id "simple" and the file's name must be the same`},
		{"id in capitals", "id: sample", "id: Sample", `sample.yaml:1: id "Sample" must be words in lower case`},
		{"category", "category: behaviour", "category: bad", `sample.yaml:3: category "bad" must be behaviour`},
		{"no category", "category: behaviour\n", "", `sample.yaml:1: category "" must be behaviour`},
		{"severity", "severity: low", "severity: urgent", `sample.yaml:4: severity "urgent" must be`},
		{"grade", "grade: proved", "grade: sure", `sample.yaml:5: grade "sure" must be`},
		{"weight", "weight: 5", "weight: 101", `sample.yaml:6: weight 101 must be`},
		{"weight of another type", "weight: 5", "weight: many", `sample.yaml:6: cannot unmarshal`},
		{"info with a weight", "severity: low", "severity: info", `sample.yaml:6: severity info never raises the score`},
		{"kind", "[file.open]", "[file.opened]", `sample.yaml:7: kinds: there is no kind "file.opened"`},
		{"kind twice", "[file.open]", "[file.open, file.open]", `sample.yaml:7: kinds: "file.open" stands there twice`},
		{"no kinds", "kinds: [file.open]\n", "", `sample.yaml:1: kinds is missing`},
		{"no remediation", "remediation: stop\n", "", `sample.yaml:1: remediation is missing`},
		{"condition does not parse", `Path == "/x"`, `Path ==`, `sample.yaml:8: when: unexpected token EOF`},
		{"condition that YAML cuts", `Path == "/x"`, `any(Args, # == "x")`, `YAML takes the rest of the line for a comment`},
		{"condition names nothing", `Path == "/x"`, `Paht == "/x"`, `sample.yaml:8: when: unknown name Paht`},
		{"condition of several lines", `when: Path == "/x"`, "when: |\n  Path == \"/x\" &&\n  Paht == 1", `sample.yaml:10: when: unknown name Paht`},
		{"condition is no question", `Path == "/x"`, `Path`, `sample.yaml:8: when: expected bool, but got string`},
		{"condition with a range", `Path == "/x"`, `"any(1..9, # == Code)"`, `ranges (a..b) are not allowed`},
		{"condition with loops", `Path == "/x"`, `'any(Args, any(Args, any(Args, # == "x")))'`, `too many any/all/none/count`},
		{"condition with a clock", `Path == "/x"`, `now().Year() > 2000`, `sample.yaml:8: when: unknown name now`},
		{"condition with a pattern from the target", `Path == "/x"`, `'"x" matches Path'`, `the right side of matches must be a string`},
		{"group", "grade: proved", "grade: proved\ngroup: [call]", `group: "call" must be one of tool, subject`},
		{"count", "grade: proved", "grade: proved\ncount: {min: 3, max: 2}", `count: min must be at least 1`},
		{"message with a loop", `{{.Path}}`, `{{range 10000000}}x{{end}}`, `sample.yaml:9: message: {{range 10000000}}x{{end}} is not allowed`},
		{"message with a function", `{{.Path}}`, `{{printf "%0999999999d" 1}}`, `is not a field`},
		{"message with a function in its condition", `{{.Path}}`, `{{if len .Path}}x{{end}}`, `is not a field`},
		{"message without that field", `{{.Path}}`, `{{.Password}}`, `there is no field Password`},
		{"message does not parse", `{{.Path}}`, `{{.Path`, `sample.yaml:9: message:`},
		{"test with a misspelt field", "{path: /y}", "{paht: /y}", `sample.yaml:17: test "no": not an event: json: unknown field "paht"`},
		{"test with a misspelt kind", "[{kind: file.open, phase: start, file: {path: /y}}]", "[{kind: file.opne}]", `sample.yaml:17: test "no": there is no kind of event "file.opne"`},
		{"test that expects nothing", "expect: miss", "expect: nothing", `sample.yaml:16: test "no": expect must be hit or miss`},
		{"test that contradicts itself", "expect: miss", "expect: miss\n    findings: 2", `sample.yaml:16: test "no": expect and findings contradict`},
		{"no miss", "expect: miss", "expect: hit", `sample.yaml:13: tests: at least one hit and one miss are needed, there are 2 and 0`},
		{"aliases", "title: A sample", "title: &a A sample\nmaps: {cwe: [*a]}", `aliases are not allowed`},
		{"second document", "title: A sample", "title: A sample\n---\nid: sample", `there is a second document`},
		{"a list", good, "- a\n- b\n", `sample.yaml:1: a rule file is one mapping`},
		{"nothing", good, "", `sample.yaml:1: the file is empty`},
		{"no YAML", good, "id: [", `sample.yaml:1: did not find expected node content`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(good, tt.old) {
				t.Fatalf("the sample has no %q", tt.old)
			}
			_, err := loadText(strings.Replace(good, tt.old, tt.new, 1))
			if err == nil {
				t.Fatal("loaded")
			}
			if got := err.Error(); !strings.Contains(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
				t.Errorf("code %q", mcpsf.ErrorCode(err))
			}
		})
	}
	if _, err := loadText(good); err != nil {
		t.Errorf("the sample itself: %v", err)
	}
}

func TestLoadTellsTheProblemsOfAllFilesAtOnce(t *testing.T) {
	_, err := Load(fstest.MapFS{
		"sample.yaml": {Data: []byte(strings.NewReplacer("severity: low", "severity: x", "grade: proved", "grade: y").Replace(good))},
		"other.yml":   {Data: []byte("id: [")},
		"notes.txt":   {Data: []byte("not a rule")},
	})
	for _, want := range []string{"3 problem(s)", "sample.yaml:4:", "sample.yaml:5:", "other.yml:1:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
}

func TestLoadRefusesFoldersThatAreNotRules(t *testing.T) {
	many := fstest.MapFS{}
	for i := range maxFiles + 1 {
		many[fmt.Sprintf("r%d.yaml", i)] = &fstest.MapFile{}
	}
	tests := []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"empty", fstest.MapFS{}, "no .yaml file"},
		{"missing", os.DirFS(filepath.Join(t.TempDir(), "missing")), "cannot read the rules folder"},
		{"too large", fstest.MapFS{"a.yaml": {Data: make([]byte, maxFileSize+1)}}, "a.yaml: larger than 256 KiB"},
		{"too many", many, "at most 1000 are read"},
		{"a folder", fstest.MapFS{"a.yaml/b": {}}, "a.yaml: not a regular file"},
		{"the same rule twice", fstest.MapFS{"sample.yaml": {Data: []byte(good)}, "sample.yml": {Data: []byte(good)}}, `sample.yml:1: there is another rule "sample"`},
	}
	for _, tt := range tests {
		if _, err := Load(tt.fsys); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestTestFindsWrongExpectations(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"a hit that misses", "{path: /x}", "{path: /z}", `sample.yaml:13: test "yes": expected a hit`},
		{"a miss that hits", "{path: /y}", "{path: /x}", `sample.yaml:16: test "no": expected a miss, but: opened /x`},
		{"a wrong number", "expect: hit", "expect: hit\n    findings: 2", `sample.yaml:13: test "yes": expected 2 findings, got 1`},
	}
	for _, tt := range tests {
		set, err := loadText(strings.Replace(good, tt.old, tt.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Test(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
}

// Every built-in rule has at least two tests that match and two that do not:
// behaviour that looks similar is where false alarms come from.
func TestBuiltinRulesHaveEnoughTests(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range set.rules {
		r, err := head.Tested()
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for _, test := range r.Tests {
			if test.Hit {
				hits++
			}
		}
		if misses := len(r.Tests) - hits; hits < 2 || misses < 2 {
			t.Errorf("%s has %d hits and %d misses, two each are needed", r.ID, hits, misses)
		}
	}
}

// The list of kinds must equal that of the root package; add new kinds here too.
func TestKnownKindsAreThoseOfTheVocabulary(t *testing.T) {
	file, err := goparser.ParseFile(token.NewFileSet(), "../../../event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Kind") {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil || !rulefile.KnownKind(mcpsf.Kind(value)) {
			t.Errorf("%s is not known to the rules", spec.Names[0].Name)
		}
		n++
		return true
	})
	if n < 20 {
		t.Errorf("found only %d kinds", n)
	}
}

func TestRulesAreListedInOrder(t *testing.T) {
	set, err := Load(fstest.MapFS{
		"b.yaml":      {Data: []byte(strings.Replace(good, "id: sample", "id: b", 1))},
		"a.yml":       {Data: []byte(strings.Replace(good, "id: sample", "id: a", 1))},
		"sample.yaml": {Data: []byte(good)},
	})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range set.Rules() {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]string{"a", "b", "sample"}, ids); diff != "" {
		t.Error(diff)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("id: &a [*a]"))
	f.Add([]byte(strings.Repeat("[", 2000)))
	f.Add([]byte(strings.Replace(good, `Path == "/x"`, strings.Repeat("(", 1000)+"1", 1)))
	f.Add([]byte(strings.Replace(good, "{path: /x}", "{path: !!binary x, ? [a] : b}", 1)))
	f.Add([]byte(strings.Replace(good, "{path: /x}", "{path: /x, bytes: .nan}", 1)))
	entries, err := builtin.ReadDir("builtin")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		data, err := builtin.ReadFile("builtin/" + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		if set, err := loadText(string(data)); err == nil {
			_ = set.Test()
		}
	})
}
