package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCopyIsFaithfulAndTame(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{
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
	sourcetest.Must(t, os.Chmod(filepath.Join(src, "bin/tool"), 0o755|os.ModeSetuid|os.ModeSetgid))
	sourcetest.Must(t, os.Chmod(filepath.Join(src, "server.js"), 0o600))
	stage := t.TempDir()

	a, err := Resolve(t.Context(), mcpsf.Target{Source: src}, stage, nil)
	sourcetest.Must(t, err)

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
	if diff := cmp.Diff(want, sourcetest.Listing(t, stage)); diff != "" {
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
	a, err := resolve(t, sourcetest.Plant(t, files))
	sourcetest.Must(t, err)
	if len(a.Notes) != 20+1 || a.Notes[20] != "and 480 more of this kind" {
		t.Errorf("got %d notes, last %q", len(a.Notes), a.Notes[len(a.Notes)-1])
	}
}

func TestStageInsideTheTree(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{"server.js": "x", "reports/old.txt": "x"})
	stage := filepath.Join(src, "reports", "run")
	sourcetest.Must(t, os.Mkdir(stage, 0o700))
	_, err := Resolve(t.Context(), mcpsf.Target{Source: src}, stage, nil)
	sourcetest.Must(t, err)
	if _, err := os.Lstat(filepath.Join(stage, "reports", "run")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the stage was copied into itself: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	src := sourcetest.Plant(t, map[string]string{"server.js": "x"})
	_, err := Resolve(ctx, mcpsf.Target{Source: src}, t.TempDir(), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want the context's", err)
	}
	if code := mcpsf.ErrorCode(err); code == mcpsf.CodeUsage {
		t.Errorf("an interrupted copy is said to be the user's mistake")
	}
}

func TestTargetThroughASymlink(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{"real/server.py": "x", "link": "->real", "one.py": "->real/server.py"})
	for _, name := range []string{"link", "one.py"} {
		a, err := resolve(t, filepath.Join(src, name))
		sourcetest.Must(t, err)
		if want := []string{"python3", "server.py"}; !slices.Equal(a.Command, want) || a.Name != name {
			t.Errorf("%s: command %q, name %q", name, a.Command, a.Name)
		}
	}
}

func TestEnvironment(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{"server.py": "", "src/pkg/__init__.py": ""})
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
			sourcetest.Must(t, err)
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
		a, err := resolve(t, filepath.Join("../../../examples", name))
		sourcetest.Must(t, err)
		if a.Name != name || !slices.Equal(a.Command, want) || len(a.Notes) != 0 {
			t.Errorf("%s: name %q, command %q, notes %q", name, a.Name, a.Command, a.Notes)
		}
	}
}
