package code_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"
)

// TestHostile reads files made to break parsers. Reading must end, and the
// files beside them must be analysed.
func TestHostile(t *testing.T) {
	deep := func(opening, closing string) string {
		return strings.Repeat(opening, 200_000) + strings.Repeat(closing, 200_000)
	}
	files := map[string]string{
		"brackets.js": deep("[", "]"), "parens.js": deep("(", ")"), "braces.js": deep("{", "}"), "not.js": strings.Repeat("!", 200_000) + "1",
		"minus.js": strings.Repeat("- ", 200_000) + "1", "plus.js": "x = " + strings.Repeat("1+", 200_000) + "1", "arrow.js": strings.Repeat("a=>", 100_000) + "1",
		"members.js": "a" + strings.Repeat(".b", 200_000), "calls.js": "a" + strings.Repeat("()", 200_000), "else.js": strings.Repeat("if(a){}else ", 100_000) + ";",
		"template.js": strings.Repeat("`${", 50_000), "regexp.js": strings.Repeat("/", 100_001), "comment.js": "/*" + strings.Repeat("*", 1<<20),
		"brackets.ts": deep("[", "]"), "generic.ts": "let a: " + strings.Repeat("A<", 100_000) + "B", "jsx.tsx": strings.Repeat("<a>", 100_000),
		"brackets.py": deep("[", "]"), "parens.py": deep("(", ")"), "not.py": "x = " + strings.Repeat("not ", 200_000) + "1", "minus.py": "x = " + strings.Repeat("-", 200_000) + "1",
		"power.py": "x = 1" + strings.Repeat("**1", 200_000), "members.py": "a" + strings.Repeat(".b", 200_000), "calls.py": "a" + strings.Repeat("()", 200_000),
		"minuses.py": "x = 1" + strings.Repeat("-1", 200_000), "elif.py": "if a: pass\n" + strings.Repeat("elif a: pass\n", 100_000), "lambda.py": strings.Repeat("lambda:", 100_000) + "1",
		"indent.py": staircase(3000), "fstring.py": strings.Repeat("f'{", 50_000), "fstrings.py": "f'" + strings.Repeat("{f\"", 50_000), "quotes.py": strings.Repeat("'''", 100_001),
		"ternary.py": "x = " + strings.Repeat("1 if 1 else ", 100_000) + "1", "lines.py": strings.Repeat("\\\n", 200_000),
		"fold.js": "a='x';" + strings.Repeat("a=a+a;", 5_000), "fold.py": "a='x'\n" + strings.Repeat("a=a*9\n", 5_000),
		"chain.js": chain("const a%d = a%d + a%d;\n", 4_000), "names.py": chain("a%d = a%d + a%d\n", 4_000),
		"grow.js": "x=[" + strings.Repeat("1,", 100_000) + "].map(c=>String.fromCharCode(c)).join('')",
	}
	fsys := fstest.MapFS{"honest.js": {Data: []byte("require('child_process').exec('id')")}}
	for name, src := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
	}
	r := read(t, fsys)
	if r.Files.Source != len(fsys) {
		t.Errorf("%d source files, want %d", r.Files.Source, len(fsys))
	}
	if len(r.Capabilities) == 0 || r.Capabilities[0].Places[0].Path != "honest.js" {
		t.Errorf("the honest file is not among %v", r.Capabilities)
	}
	t.Logf("%d of %d parsed; %d notes", r.Files.Parsed, r.Files.Source, len(r.Gaps))
}

// staircase indents every line further than the one before.
func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	return b.String()
}

// chain makes each name of the two before it.
func chain(format string, n int) string {
	var b strings.Builder
	b.WriteString("a0 = 'x'\na1 = 'y'\n")
	for i := 2; i < n; i++ {
		fmt.Fprintf(&b, format, i, i-1, i-2)
	}
	return b.String()
}

// TestEncodings reads sources that are not UTF-8.
func TestEncodings(t *testing.T) {
	const src = "eval('1')\n"
	wide := func(bom []byte, order func(uint16) []byte) []byte {
		out := bytes.Clone(bom)
		for _, u := range utf16.Encode([]rune(src)) {
			out = append(out, order(u)...)
		}
		return out
	}
	for name, data := range map[string][]byte{
		"bom.js":     append([]byte("\ufeff"), src...),
		"little.js":  wide([]byte{0xff, 0xfe}, func(u uint16) []byte { return []byte{byte(u), byte(u >> 8)} }),
		"big.js":     wide([]byte{0xfe, 0xff}, func(u uint16) []byte { return []byte{byte(u >> 8), byte(u)} }),
		"latin.js":   append([]byte("// caf\xe9\n"), src...),
		"invalid.js": append([]byte("x = '\xff\xfe\x80';\n"), src...),
		"bom.py":     append([]byte("\ufeff"), src...),
		"latin.py":   append([]byte("# -*- coding: latin-1 -*-\n# caf\xe9\n"), src...),
		"script":     append([]byte("#!/usr/bin/env node\n"), src...),
		"crlf.py":    []byte("if 1:\r\n    eval('1')\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			r := read(t, fstest.MapFS{name: {Data: data}})
			if r.Files.Parsed != 1 || len(r.Capabilities) != 1 || r.Capabilities[0].Places[0].Name != "eval" {
				t.Errorf("got %+v %v %v, want the call of eval in a file that was parsed", r.Files, r.Capabilities, r.Gaps)
			}
		})
	}
}

func TestBinary(t *testing.T) {
	r := read(t, fstest.MapFS{"a.js": {Data: []byte("\x7fELF\x00\x01eval(1)")}})
	if r.Files.Source != 1 || r.Files.Parsed != 0 || len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], "it is not text") {
		t.Errorf("got %+v, blind %q; want one file that is told not to be text", r.Files, r.Gaps)
	}
}

// TestLongLine reads a file of one line that is larger than anything that is
// parsed.
func TestLongLine(t *testing.T) {
	line := append([]byte("require('child_process').exec('id');x='"), bytes.Repeat([]byte("a"), 50<<20)...)
	r := read(t, fstest.MapFS{"a.js": {Data: line}})
	if r.Files.Parsed != 0 || len(r.Gaps) != 1 || len(r.Capabilities) == 0 || r.Capabilities[0].Places[0].Name != "child_process.exec" {
		t.Errorf("got %+v %v %q; want the call, and a note", r.Files, r.Capabilities, r.Gaps)
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("eval(1)"), 0o600))
	must(t, os.Symlink(".", filepath.Join(dir, "loop")))
	must(t, os.Symlink("/etc/passwd", filepath.Join(dir, "b.js")))
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	r := read(t, root.FS())
	if r.Files.Seen != 1 || r.Files.Source != 1 {
		t.Errorf("got %+v, want the one file that is no link", r.Files)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestManyFiles goes through a package of a hundred thousand files.
func TestManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	fsys := fstest.MapFS{"src/a.js": {Data: []byte("eval(1)")}}
	for i := range 100_000 {
		fsys[fmt.Sprintf("data/%d/%d.txt", i%100, i)] = &fstest.MapFile{}
	}
	for i := range 2_000 {
		fsys[fmt.Sprintf("lib/%d.js", i)] = &fstest.MapFile{Data: []byte("export const a = 1;\n")}
	}
	r := read(t, fs.FS(fsys))
	if r.Files.Seen != 102_001 || r.Files.Parsed != 2_001 {
		t.Errorf("got %+v, want 102001 seen and 2001 parsed", r.Files)
	}
}
