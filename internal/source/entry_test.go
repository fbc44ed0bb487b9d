package source

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestEntry runs the cases in testdata/entry. Each is a tree and the file
// "want", which holds what is found out about it. Lines of the comment may
// say "+x FILE", "link FILE TARGET", "elf FILE", "target FILE" and
// "command WORD...".
func TestEntry(t *testing.T) {
	cases, err := filepath.Glob("testdata/entry/*.txtar")
	must(t, err)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			name, err := filepath.Abs(name) // the case changes the directory
			must(t, err)
			archive, err := txtar.ParseFile(name)
			must(t, err)
			got := runEntry(t, archive)
			at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if at < 0 {
				t.Fatal("no file named want")
			}
			if *update {
				archive.Files[at].Data = []byte(got)
				must(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			if diff := cmp.Diff(string(archive.Files[at].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func runEntry(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	// A fixed name, because messages show it.
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("dir", 0o755))
	for _, f := range archive.Files {
		if f.Name != "want" {
			plantOne(t, "dir", f.Name, string(f.Data))
		}
	}
	target := mcpsf.Target{Source: "./dir"}
	for line := range strings.Lines(string(archive.Comment)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		file := filepath.Join("dir", words[1])
		switch words[0] {
		case "+x":
			must(t, os.Chmod(file, 0o755))
		case "elf":
			must(t, os.WriteFile(file, []byte("\x7fELF\x02\x01\x01"), 0o755))
		case "link":
			must(t, os.Symlink(words[2], file))
		case "target":
			target.Source = "./" + file
		case "command":
			cwd, err := os.Getwd()
			must(t, err)
			for _, w := range words[1:] {
				target.Command = append(target.Command, strings.ReplaceAll(w, "$PWD", cwd))
			}
		}
	}
	a, err := Resolve(t.Context(), target, t.TempDir(), nil)
	if err != nil {
		wantUsage(t, err)
		return "error: " + err.Error() + "\n"
	}
	cwd, err := os.Getwd()
	must(t, err)
	return strings.ReplaceAll(render(a), cwd, "$PWD")
}

func render(a *mcpsf.Artifact) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q %s %q\n", a.Runtime, a.Command, a.Name, a.Version)
	for _, c := range a.Candidates {
		mark := " "
		if c.Chosen {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %s: %s\n", mark, shellLine(c.Command), c.Why)
	}
	for _, kv := range a.Env {
		fmt.Fprintf(&b, "env %s\n", kv)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	return b.String()
}

// TestHostileManifests holds sizes and depths no case file should.
func TestHostileManifests(t *testing.T) {
	huge := strings.Repeat("x", maxManifest)
	for name, manifest := range map[string]string{
		"huge name":       `{"name": "` + huge[:maxManifest/2] + `", "main": "server.js"}`,
		"too large":       `{"main": "other.js", "x": "` + huge + `"}`,
		"deep":            `{"main": "server.js", "exports": ` + strings.Repeat(`{".":`, 100_000),
		"deep exports":    `{"main": "server.js", "exports": ` + strings.Repeat(`{".":`, 5000) + `""` + strings.Repeat(`}`, 5000) + `}`,
		"deep brackets":   strings.Repeat("[", maxManifest),
		"escapes":         `{"name": "a\u001b[31m\nb\u2028c", "version": "1\u0000", "main": "server.js"}`,
		"wrong types":     `{"name": [], "version": {}, "bin": 7, "main": {"a": 1}, "exports": null, "scripts": [], "description": false}`,
		"many programs":   `{"name": "x", "main": "server.js", "bin": {` + manyFields(20_000) + `}}`,
		"not an object":   `"server.js"`,
		"null":            `null`,
		"nothing":         ``,
		"not UTF-8":       "{\"name\": \"\xff\xfe\", \"main\": \"server.js\"}",
		"outside":         `{"bin": "../../../etc/passwd", "main": "/etc/passwd"}`,
		"outside by link": `{"main": "out/passwd"}`,
		"a directory":     `{"main": "d", "bin": "."}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := plant(t, map[string]string{"package.json": manifest, "server.js": "", "d/x": "", "out": "->/etc"})
			a, err := resolve(t, dir)
			must(t, err)
			if diff := cmp.Diff([]string{"node", "server.js"}, a.Command); diff != "" {
				t.Errorf("command differs (-want +got):\n%s", diff)
			}
			checkAbout(t, about{a.Name, a.Version, a.Description})
			if len(a.Candidates) > 32 || len(a.Notes) > maxNotes+1 {
				t.Errorf("%d candidates, %d notes", len(a.Candidates), len(a.Notes))
			}
		})
	}
}

func manyFields(n int) string {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"p%d": "missing%d.js"`, i, i)
	}
	return strings.Join(fields, ",")
}

func FuzzPackageJSON(f *testing.F) {
	f.Add([]byte(`{"name": "@a/b", "bin": "x.js", "exports": {".": {"import": "y.js"}}, "scripts": {"start": "node z.js"}}`))
	f.Add([]byte(`{"bin": {"a": "b", "c": 1}, "main": "\u001b", "scripts": {"start": "node -e 'x'; rm"}}`))
	f.Add([]byte(`{"packages": [{"registryType": "npm"}], "version": "\n"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(data, &fields) != nil {
			return
		}
		p := parsePackageJSON(fields)
		checkAbout(t, p.about)
		checkAbout(t, parseServerJSON(fields).about)
		if p.start != nil && (p.start[0] != "node" || strings.ContainsAny(strings.Join(p.start, ""), ";&|$`'\"<>")) {
			t.Errorf("start script %q is more than a call of node", p.start)
		}
	})
}

// checkAbout checks that what a manifest says of itself is fit to print.
func checkAbout(t *testing.T, a about) {
	t.Helper()
	for _, s := range []string{a.name, a.version, a.description} {
		if len(s) > 1000 || badName(s) != "" || strings.ContainsFunc(s, unicode.IsControl) {
			t.Errorf("unfit to print: %.100q (%d bytes)", s, len(s))
		}
	}
}
