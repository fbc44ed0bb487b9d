package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plant makes a tree. A name that ends in a slash is a directory, a content
// that begins with "->" a symbolic link, one that begins with "+x" executable.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		plantOne(t, dir, name, content)
	}
	return dir
}

func plantOne(t testing.TB, dir, name, content string) {
	t.Helper()
	p := filepath.Join(dir, name)
	must(t, os.MkdirAll(filepath.Dir(p), 0o755))
	target, isLink := strings.CutPrefix(content, "->")
	program, isProgram := strings.CutPrefix(content, "+x")
	switch {
	case strings.HasSuffix(name, "/"):
		must(t, os.MkdirAll(p, 0o755))
	case isLink:
		must(t, os.Symlink(target, p))
	case isProgram:
		must(t, os.WriteFile(p, []byte(program), 0o755))
		must(t, os.Chmod(p, 0o755))
	default:
		must(t, os.WriteFile(p, []byte(content), 0o644))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listing shows a directory as a map in the notation of plant.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		must(t, err)
		rel, err := filepath.Rel(dir, p)
		must(t, err)
		info, err := d.Info()
		must(t, err)
		switch {
		case rel == ".":
		case d.IsDir():
			got[rel+"/"] = info.Mode().String()
		case d.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(p)
			must(t, err)
			got[rel] = "->" + target
		default:
			data, err := os.ReadFile(p)
			must(t, err)
			got[rel] = info.Mode().String() + " " + string(data)
		}
		return nil
	})
	must(t, err)
	return got
}

func resolve(t testing.TB, source string) (*mcpsf.Artifact, error) {
	t.Helper()
	return Resolve(t.Context(), mcpsf.Target{Source: source}, t.TempDir(), nil)
}

// wantUsage checks that err is one clear line about what the user can fix.
func wantUsage(t testing.TB, err error, texts ...string) {
	t.Helper()
	e, ok := errors.AsType[*mcpsf.Error](err)
	if !ok || e.Code != mcpsf.CodeUsage {
		t.Fatalf("error is %#v, want a usage error", err)
	}
	line := err.Error()
	if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("error is not one printable line: %q", line)
	}
	if len(line) > 1000 {
		t.Errorf("error has %d bytes", len(line))
	}
	for _, text := range texts {
		if !strings.Contains(line, text) {
			t.Errorf("error %q does not say %q", line, text)
		}
	}
}

func TestCopyIsFaithfulAndTame(t *testing.T) {
	src := plant(t, map[string]string{
		"server.js":   "one",
		"bin/tool":    "+xtwo",
		"empty/":      "",
		"lib/link.js": "->../server.js",
		"dangling":    "->lib/nowhere",
		"out":         "->/etc/passwd",
		"up":          "->../../x",
		".git/config": "secret of the user",
		"reports/20261115-040506-0a1b2c3d/report.json": "an earlier run's",
		"sub/.git":                   "gitdir: elsewhere",
		"lib/__pycache__/x.pyc":      "compiled",
		"__pycache__.py":             "kept: only the name resembles",
		"name with ' and \"":         "kept",
		"umlaut-\u00fc-\u4e2d\u6587": "kept",
	})
	must(t, os.Chmod(filepath.Join(src, "bin/tool"), 0o755|os.ModeSetuid|os.ModeSetgid))
	must(t, os.Chmod(filepath.Join(src, "server.js"), 0o600))
	stage := t.TempDir()

	a, err := Resolve(t.Context(), mcpsf.Target{Source: src}, stage, nil)
	must(t, err)

	want := map[string]string{
		"server.js":                  "-rw-r--r-- one",
		"bin/":                       "drwxr-xr-x",
		"bin/tool":                   "-rwxr-xr-x two",
		"empty/":                     "drwxr-xr-x",
		"lib/":                       "drwxr-xr-x",
		"lib/link.js":                "->../server.js",
		"dangling":                   "->lib/nowhere",
		"lib/__pycache__/":           "drwxr-xr-x",
		"lib/__pycache__/x.pyc":      "-rw-r--r-- compiled",
		"reports/":                   "drwxr-xr-x",
		"sub/":                       "drwxr-xr-x",
		"__pycache__.py":             "-rw-r--r-- kept: only the name resembles",
		"name with ' and \"":         "-rw-r--r-- kept",
		"umlaut-\u00fc-\u4e2d\u6587": "-rw-r--r-- kept",
	}
	if diff := cmp.Diff(want, listing(t, stage)); diff != "" {
		t.Errorf("stage differs (-want +got):\n%s", diff)
	}
	wantNotes := []string{
		`"bin/tool" lost its setuid or setgid bit in the copy`,
		`left out ".git": version history is not part of the server`,
		`left out "sub/.git": version history is not part of the server`,
		`left out the symbolic link "out": it leads out of the tree, to "/etc/passwd"`,
		`left out the symbolic link "up": it leads out of the tree, to "../../x"`,
	}
	if diff := cmp.Diff(wantNotes, a.Notes); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
	if a.Files != 6 || a.Bytes != int64(len("compiled"+"one"+"two"+"kept: only the name resembles"+"kept"+"kept")) {
		t.Errorf("artifact has %d files and %d bytes", a.Files, a.Bytes)
	}
	if a.Kind != "local" || a.Dir != stage || a.Name != filepath.Base(src) {
		t.Errorf("artifact is %+v", a)
	}
}

func TestNotesAreBounded(t *testing.T) {
	files := map[string]string{"server.js": ""}
	for i := range 500 {
		files["l"+strings.Repeat("x", i%100)+string(rune('a'+i/100))] = "->/etc"
	}
	a, err := resolve(t, plant(t, files))
	must(t, err)
	if len(a.Notes) != maxNotes+1 || a.Notes[maxNotes] != "and 480 more of this kind" {
		t.Errorf("got %d notes, last %q", len(a.Notes), a.Notes[len(a.Notes)-1])
	}
}

func TestStageInsideTheTree(t *testing.T) {
	src := plant(t, map[string]string{"server.js": "x", "reports/old.txt": "x"})
	stage := filepath.Join(src, "reports", "run")
	must(t, os.Mkdir(stage, 0o700))
	_, err := Resolve(t.Context(), mcpsf.Target{Source: src}, stage, nil)
	must(t, err)
	if _, err := os.Lstat(filepath.Join(stage, "reports", "run")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the stage was copied into itself: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	src := plant(t, map[string]string{"server.js": "x"})
	_, err := Resolve(ctx, mcpsf.Target{Source: src}, t.TempDir(), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want the context's", err)
	}
	if code := mcpsf.ErrorCode(err); code == mcpsf.CodeUsage {
		t.Errorf("an interrupted copy is said to be the user's mistake")
	}
}

func TestTargetThroughASymlink(t *testing.T) {
	src := plant(t, map[string]string{"real/server.py": "x", "link": "->real", "one.py": "->real/server.py"})
	for _, name := range []string{"link", "one.py"} {
		a, err := resolve(t, filepath.Join(src, name))
		must(t, err)
		if want := []string{"python3", "server.py"}; !slices.Equal(a.Command, want) || a.Name != name {
			t.Errorf("%s: command %q, name %q", name, a.Command, a.Name)
		}
	}
}

func TestEnvironment(t *testing.T) {
	src := plant(t, map[string]string{"server.py": "", "src/pkg/__init__.py": ""})
	for _, test := range []struct {
		name      string
		env, want []string
	}{
		{"source layout", nil, []string{"PYTHONPATH=/home/dev/code/server/src"}},
		{"beside the user's", []string{"A=b=c", "E="}, []string{"PYTHONPATH=/home/dev/code/server/src", "A=b=c", "E="}},
		{"the user's own", []string{"PYTHONPATH=lib"}, []string{"PYTHONPATH=lib"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, err := Resolve(t.Context(), mcpsf.Target{Source: src, Env: test.env}, t.TempDir(), nil)
			must(t, err)
			if diff := cmp.Diff(test.want, a.Env); diff != "" {
				t.Errorf("env differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKindsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if r.Kind() == "" || seen[r.Kind()] {
			t.Errorf("kind %q is empty or listed twice", r.Kind())
		}
		seen[r.Kind()] = true
	}
}

func TestExamples(t *testing.T) {
	for name, want := range map[string][]string{
		"notes-node":   {"node", "server.js"},
		"notes-python": {"python3", "server.py"},
		"thief-node":   {"node", "server.js"},
		"thief-python": {"python3", "server.py"},
	} {
		a, err := resolve(t, filepath.Join("../../examples", name))
		must(t, err)
		if a.Name != name || !slices.Equal(a.Command, want) || len(a.Notes) != 0 {
			t.Errorf("%s: name %q, command %q, notes %q", name, a.Name, a.Command, a.Notes)
		}
	}
}
