package staging

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// planted is a tree with everything that a view treats specially.
func planted(t *testing.T) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"name":"x"}`, "a/b/c.js": "1", ".git/config": "x", ".env": "API_KEY=sk-live-0123456789abcdefghijklmnop\n",
		"real/index.js": "2",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"linked": "real", "a/up.js": "../real/index.js", "top": ".", "out": "/etc/passwd"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func surveyed(t *testing.T, root *os.Root) *Tree {
	t.Helper()
	tree, err := survey(t.Context(), root, nil, Limits{MaxBytes: 1 << 20, MaxFiles: 100, MaxDepth: 10})
	if err != nil {
		t.Fatal(err)
	}
	tree.MarkSecrets()
	return tree
}

// A view shows what a copy would contain, and has its digest.
func TestViewIsLikeTheCopy(t *testing.T) {
	src := planted(t)
	dst, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dst.Close()
	copied, err := surveyed(t, src).Copy(t.Context(), src, dst)
	if err != nil {
		t.Fatal(err)
	}
	view, seen, err := surveyed(t, src).View(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	// The digests are equal only if the replacement of a secret is the same
	// each time.
	if text, err := fs.ReadFile(view, ".env"); err != nil || strings.Contains(string(text), "0123456789abcdef") || !strings.HasPrefix(string(text), "API_KEY=") {
		t.Errorf(".env is %q, %v", text, err)
	}
	if copied != seen {
		t.Errorf("digest %s, of the copy %s", seen, copied)
	}
	for name, want := range map[string]string{"a/b/c.js": "1", "linked/index.js": "2", "a/up.js": "2", "top/a/b/c.js": "1"} {
		if got, err := fs.ReadFile(view, name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"a/b/c.js", "linked/index.js", ".env"} {
		text, err := fs.ReadFile(view, name)
		if sum, ok := view.Sum(name); err != nil || !ok || sum != sha256.Sum256(text) {
			t.Errorf("the digest of %s is another", name)
		}
	}
	if _, ok := view.Sum("a"); ok {
		t.Error("a directory has a digest")
	}
	for _, name := range []string{".git/config", "out", "../x", "nowhere", "linked/nowhere"} {
		if _, err := view.Open(name); err == nil {
			t.Errorf("%s can be opened", name)
		}
	}
	if target, err := view.ReadLink("linked"); err != nil || target != "real" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if err := fstest.TestFS(view, "package.json", "a/b/c.js", "real/index.js", ".env"); err != nil {
		t.Error(err)
	}
}

// A file that was replaced after the survey is not shown.
func TestViewOfWhatChanged(t *testing.T) {
	src := planted(t)
	view, _, err := surveyed(t, src).View(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Rename("package.json", "old.json"); err != nil {
		t.Fatal(err)
	}
	if err := src.Symlink(".git/config", "package.json"); err != nil {
		t.Fatal(err)
	}
	if _, err := view.Open("package.json"); err == nil {
		t.Error("what took the place of a file is shown")
	}
}
