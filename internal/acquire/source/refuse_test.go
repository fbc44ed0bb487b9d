//go:build unix

package source

import (
	"archive/zip"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// TestRefused has every kind of bad input. Each gives one line, and what could
// hang or fill the disk is never opened or copied.
func TestRefused(t *testing.T) {
	script := map[string]string{"server.js": "x"}
	tests := []struct {
		name  string
		files map[string]string
		do    func(t *testing.T, dir string)
		// at is the target below the planted directory.
		at    string
		opts  *kind.Options
		texts []string
	}{
		{name: "missing", at: "nowhere", texts: []string{"does not exist", "nowhere"}},
		{name: "missing with escapes", at: "no\x1b[31m\nwhere", texts: []string{`no\x1b[31m\nwhere`, "does not exist"}},
		{name: "below a file", files: script, at: "server.js/x", texts: []string{"does not exist"}},
		{name: "endless path", at: strings.Repeat("a", 5000), texts: []string{"check the path"}},
		{name: "target in a circle", files: map[string]string{"a": "->b", "b": "->a"}, at: "a", texts: []string{"circle"}},
		{name: "empty", texts: []string{"has no files"}},
		{name: "only empty directories", files: map[string]string{"a/b/": ""}, texts: []string{"has no files"}},
		{name: "only history", files: map[string]string{".git/HEAD": "x"}, texts: []string{"has no files"}},
		{
			name: "sparse file", files: script, texts: []string{"1.0 GiB", `"data/big"`, "10.0 GiB"},
			do: func(t *testing.T, dir string) {
				sourcetest.Must(t, os.Mkdir(filepath.Join(dir, "data"), 0o755))
				sourcetest.Sparse(t, filepath.Join(dir, "data", "big"), 10<<30)
			},
		},
		{
			name: "sparse files that overflow the sum", files: script, texts: []string{"add up to more"},
			do: func(t *testing.T, dir string) {
				sourcetest.Sparse(t, filepath.Join(dir, "a"), 7<<40)
				sourcetest.Sparse(t, filepath.Join(dir, "b"), 7<<40)
			},
			opts: &kind.Options{Limits: staging.Limits{MaxBytes: 8 << 40}},
		},
		{
			name: "sparse file as target", at: "big.js", texts: []string{"add up to more"},
			do: func(t *testing.T, dir string) { sourcetest.Sparse(t, filepath.Join(dir, "big.js"), 10<<30) },
		},
		{name: "too many files", files: map[string]string{"a": "", "b": "", "c/d": ""}, opts: &kind.Options{Limits: staging.Limits{MaxFiles: 3}}, texts: []string{"more than 3 files"}},
		{name: "too deep", files: map[string]string{"a/b/c/d": ""}, opts: &kind.Options{Limits: staging.Limits{MaxDepth: 3}}, texts: []string{`"a/b/c/d"`, "deeper than 3"}},
		{name: "links in a circle", files: map[string]string{"server.js": "", "a": "->b", "b": "->./a"}, texts: []string{"circle", `"a"`}},
		{name: "link to itself", files: map[string]string{"server.js": "", "d/a": "->a"}, texts: []string{"circle", `"d/a"`}},
		{name: "named pipe", files: script, do: fifo("pipe"), texts: []string{"named pipe", `"pipe"`, "remove it"}},
		{name: "named pipe as target", do: fifo("pipe.js"), at: "pipe.js", texts: []string{"named pipe"}},
		{name: "named pipe as manifest", files: script, do: fifo("package.json"), texts: []string{"named pipe"}},
		{name: "socket", files: script, do: socket, texts: []string{"a socket", `"s"`}},
		{name: "device as target", at: "../../../../../../../../dev/null", texts: []string{"a device"}},
		{name: "newline", files: map[string]string{"server.js": "", "a\nverdict: PASS": ""}, texts: []string{`a\nverdict: PASS`, "control characters"}},
		{name: "escape", files: map[string]string{"server.js": "", "d/\x1b]0;title\a/x": ""}, texts: []string{`\x1b]0;title\a`}},
		{name: "C1 escape", files: map[string]string{"server.js": "", "\u009b31m": ""}, texts: []string{`\u009b31m`}},
		{name: "line separator", files: map[string]string{"server.js": "", "a\u2028b": ""}, texts: []string{`a\u2028b`}},
		{name: "not UTF-8", files: map[string]string{"server.js": "", "\xff\x9b": ""}, texts: []string{"UTF-8"}},
		{name: "directory with an escape", files: map[string]string{"a\x1b[2J/server.js": ""}, at: "a\x1b[2J", texts: []string{`a\x1b[2J`}},
		{name: "file with an escape", files: map[string]string{"a\x1b[2J.js": ""}, at: "a\x1b[2J.js", texts: []string{`a\x1b[2J.js`}},
		{name: "link target with an escape", files: map[string]string{"server.js": "", "l": "->\x1b[2J"}, texts: []string{"target of the symbolic link"}},
		{name: "link out of the tree as server", files: map[string]string{"server.js": "->/etc/hostname", "x.txt": ""}, texts: []string{"no entry point"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := sourcetest.Plant(t, test.files)
			if test.do != nil {
				test.do(t, dir)
			}
			stage := t.TempDir()
			// Not filepath.Join, which would resolve "server.js/x".
			source := dir
			if test.at != "" {
				source = dir + "/" + test.at
			}
			_, err := Resolve(t.Context(), mcpsf.Target{Source: source}, stage, test.opts)
			sourcetest.WantUsage(t, err, test.texts...)
		})
	}
}

func TestRefusedBeforeCopying(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{"a.js": "x", "z/server.js": "x"})
	sourcetest.Sparse(t, filepath.Join(dir, "z", "big"), 10<<30)
	stage := t.TempDir()
	_, err := Resolve(t.Context(), mcpsf.Target{Source: dir}, stage, nil)
	sourcetest.WantUsage(t, err, "add up to more")
	if diff := cmp.Diff(map[string]string{}, sourcetest.Listing(t, stage)); diff != "" {
		t.Errorf("something was copied (-want +got):\n%s", diff)
	}
}

func TestRefusedTargets(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{"server.js": "x"})
	for _, test := range []struct {
		name   string
		target mcpsf.Target
		text   string
	}{
		{"nothing", mcpsf.Target{}, "name a local file"},
		{"package", mcpsf.Target{Source: "@scope/name"}, "packages"},
		{"package with scheme", mcpsf.Target{Source: "pypi:name@1.2.3"}, "packages"},
		{"another kind of address", mcpsf.Target{Source: "ftp://server.example/mcp"}, "an address"},
		{"NUL", mcpsf.Target{Source: "a\x00b"}, `a\x00b`},
		{"NUL in the command", mcpsf.Target{Source: dir, Command: []string{"node", "a\x00"}}, "NUL"},
		{"empty command", mcpsf.Target{Source: dir, Command: []string{""}}, "-- node server.js"},
		{"variable without a value", mcpsf.Target{Source: dir, Env: []string{"A\n"}}, `"A\n"`},
		{"variable without a name", mcpsf.Target{Source: dir, Env: []string{"=x"}}, "NAME=VALUE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Resolve(t.Context(), test.target, t.TempDir(), nil)
			sourcetest.WantUsage(t, err, test.text)
		})
	}
}

// TestChangedWhileCopied changes the tree between survey and copy. No change
// may make the copy hang, follow a link, or include something that was not
// surveyed.
func TestChangedWhileCopied(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	sourcetest.Must(t, os.WriteFile(secret, []byte("x"), 0o600))
	tests := []struct {
		name string
		do   func(t *testing.T, dir string)
	}{
		{"vanished", func(t *testing.T, dir string) { sourcetest.Must(t, os.Remove(dir+"/d/f")) }},
		{"directory vanished", func(t *testing.T, dir string) { sourcetest.Must(t, os.RemoveAll(dir+"/d")) }},
		{"grown", func(t *testing.T, dir string) { sourcetest.Must(t, os.WriteFile(dir+"/d/f", []byte("longer"), 0o600)) }},
		{"shrunk", func(t *testing.T, dir string) { sourcetest.Must(t, os.Truncate(dir+"/d/f", 0)) }},
		{"became a named pipe", func(t *testing.T, dir string) {
			sourcetest.Must(t, os.Remove(dir+"/d/f"))
			sourcetest.Must(t, syscall.Mkfifo(dir+"/d/f", 0o600))
		}},
		{"became a link inside", func(t *testing.T, dir string) {
			sourcetest.Must(t, os.Remove(dir+"/d/f"))
			sourcetest.Must(t, os.Symlink("../server.js", dir+"/d/f"))
		}},
		{"became a link outside", func(t *testing.T, dir string) {
			sourcetest.Must(t, os.Remove(dir+"/d/f"))
			sourcetest.Must(t, os.Symlink(secret, dir+"/d/f"))
		}},
		{"directory became a link outside", func(t *testing.T, dir string) {
			sourcetest.Must(t, os.RemoveAll(dir+"/d"))
			sourcetest.Must(t, os.Symlink(filepath.Dir(secret), dir+"/d"))
		}},
		{"became a directory", func(t *testing.T, dir string) {
			sourcetest.Must(t, os.Remove(dir+"/d/f"))
			sourcetest.Must(t, os.Mkdir(dir+"/d/f", 0o700))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := sourcetest.Plant(t, map[string]string{"server.js": "x", "d/f": "y"})
			l := local{surveyed: func() { test.do(t, dir) }}
			stage := t.TempDir()
			_, _, err := l.Resolve(t.Context(), mcpsf.Target{Source: dir}, stage, (*kind.Options)(nil).Complete())
			sourcetest.WantUsage(t, err, `"d/f"`)
			for name, content := range sourcetest.Listing(t, stage) {
				if name == "d/f" && strings.HasSuffix(content, "x") {
					t.Errorf("copied what a link led to: %q", content)
				}
			}
		})
	}
}

func fifo(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		sourcetest.Must(t, syscall.Mkfifo(filepath.Join(dir, name), 0o600))
	}
}

func socket(t *testing.T, dir string) {
	t.Helper()
	// Socket paths must be short: bind in the current directory.
	t.Chdir(dir)
	l, err := net.Listen("unix", "s")
	sourcetest.Must(t, err)
	t.Cleanup(func() { l.Close() })
}

func TestEntangledLinks(t *testing.T) {
	files := map[string]string{"server.js": "x", "d/": ""}
	for i := range 3000 {
		files[fmt.Sprintf("l%d", i)] = "->" + strings.Repeat("d/../", 800) + "d"
	}
	_, err := resolve(t, sourcetest.Plant(t, files))
	sourcetest.WantUsage(t, err, "entangled")
}

// TestSecretsChangedWhileCopied is the same for files that are read as a whole.
func TestSecretsChangedWhileCopied(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{"server.js": "", ".env": "TOKEN=hunter2"})
	l := local{surveyed: func() { sourcetest.Must(t, os.WriteFile(dir+"/.env", []byte("TOKEN=hunter2hunter2"), 0o600)) }}
	_, _, err := l.Resolve(t.Context(), mcpsf.Target{Source: dir}, t.TempDir(), (*kind.Options)(nil).Complete())
	sourcetest.WantUsage(t, err, `".env"`, "changed while")
}

// TestPublishedBytesStay: files with a digest of their own are not redacted.
func TestPublishedBytesStay(t *testing.T) {
	const env = "TOKEN=hunter2hunter2\n"
	name := filepath.Join(t.TempDir(), "x.zip")
	f, err := os.Create(name)
	sourcetest.Must(t, err)
	w := zip.NewWriter(f)
	for name, content := range map[string]string{"server.js": "", ".env": env, ".tox/x": "x", "venv/pyvenv.cfg": "", "venv/bin/python": ""} {
		e, err := w.Create(name)
		sourcetest.Must(t, err)
		_, err = e.Write([]byte(content))
		sourcetest.Must(t, err)
	}
	sourcetest.Must(t, w.Close())
	sourcetest.Must(t, f.Close())
	a, err := resolve(t, name)
	sourcetest.Must(t, err)
	got := sourcetest.Listing(t, a.Dir)
	if got[".env"] != "-rw-r--r-- "+env || got[".tox/x"] == "" || got["venv/pyvenv.cfg"] == "" {
		t.Errorf("the archive became %q", got)
	}
}
