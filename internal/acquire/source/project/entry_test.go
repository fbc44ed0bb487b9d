package project_test

import (
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
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestEntry runs the cases in testdata/entry. Each is a tree and the file
// "want", which holds the result. Lines of the comment may say "+x FILE", "link
// FILE TARGET", "elf FILE", "target FILE" and "command WORD...".
func TestEntry(t *testing.T) {
	cases, err := filepath.Glob("testdata/entry/*.txtar")
	sourcetest.Must(t, err)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			name, err := filepath.Abs(name) // the case changes the directory
			sourcetest.Must(t, err)
			archive, err := txtar.ParseFile(name)
			sourcetest.Must(t, err)
			got := runEntry(t, archive)
			at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if at < 0 {
				t.Fatal("no file named want")
			}
			if *update {
				archive.Files[at].Data = []byte(got)
				sourcetest.Must(t, os.WriteFile(name, txtar.Format(archive), 0o644))
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
	sourcetest.Must(t, os.Mkdir("dir", 0o755))
	for _, f := range archive.Files {
		if f.Name != "want" {
			sourcetest.PlantOne(t, "dir", f.Name, string(f.Data))
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
			sourcetest.Must(t, os.Chmod(file, 0o755))
		case "elf":
			sourcetest.Must(t, os.WriteFile(file, []byte("\x7fELF\x02\x01\x01"), 0o755))
		case "link":
			sourcetest.Must(t, os.Symlink(words[2], file))
		case "target":
			target.Source = "./" + file
		case "command":
			cwd, err := os.Getwd()
			sourcetest.Must(t, err)
			for _, w := range words[1:] {
				target.Command = append(target.Command, strings.ReplaceAll(w, "$PWD", cwd))
			}
		}
	}
	a, err := source.Resolve(t.Context(), target, t.TempDir(), nil)
	if err != nil {
		sourcetest.WantUsage(t, err)
		return "error: " + err.Error() + "\n"
	}
	cwd, err := os.Getwd()
	sourcetest.Must(t, err)
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
		fmt.Fprintf(&b, "%s %s: %s\n", mark, usererr.ShellLine(c.Command), c.Why)
	}
	for _, kv := range a.Env {
		fmt.Fprintf(&b, "env %s\n", kv)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	return b.String()
}

// TestHostileManifests has sizes and depths that are too large for case files.
func TestHostileManifests(t *testing.T) {
	const most = 1 << 20 // of a manifest
	huge := strings.Repeat("x", most)
	for name, manifest := range map[string]string{
		"huge name":       `{"name": "` + huge[:most/2] + `", "main": "server.js"}`,
		"too large":       `{"main": "other.js", "x": "` + huge + `"}`,
		"deep":            `{"main": "server.js", "exports": ` + strings.Repeat(`{".":`, 100_000),
		"deep exports":    `{"main": "server.js", "exports": ` + strings.Repeat(`{".":`, 5000) + `""` + strings.Repeat(`}`, 5000) + `}`,
		"deep brackets":   strings.Repeat("[", most),
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
			dir := sourcetest.Plant(t, map[string]string{"package.json": manifest, "server.js": "", "d/x": "", "out": "->/etc"})
			a, err := resolve(t, dir)
			sourcetest.Must(t, err)
			if diff := cmp.Diff([]string{"node", "server.js"}, a.Command); diff != "" {
				t.Errorf("command differs (-want +got):\n%s", diff)
			}
			for _, s := range []string{a.Name, a.Version, a.Description} {
				if len(s) > 1000 || usererr.BadName(s) != "" || strings.ContainsFunc(s, unicode.IsControl) {
					t.Errorf("unfit to print: %.100q (%d bytes)", s, len(s))
				}
			}
			if len(a.Candidates) > 32 || len(a.Notes) > 20+1 {
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
