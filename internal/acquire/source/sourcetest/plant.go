package sourcetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpsf/mcpsf"
)

// Plant makes a tree. A name that ends in a slash is a directory, a content
// that begins with "->" a symbolic link, one that begins with "+x" executable.
func Plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		PlantOne(t, dir, name, content)
	}
	return dir
}

// PlantOne adds one name to a tree, in the notation of [Plant].
func PlantOne(t testing.TB, dir, name, content string) {
	t.Helper()
	p := filepath.Join(dir, name)
	Must(t, os.MkdirAll(filepath.Dir(p), 0o755))
	target, isLink := strings.CutPrefix(content, "->")
	program, isProgram := strings.CutPrefix(content, "+x")
	switch {
	case strings.HasSuffix(name, "/"):
		Must(t, os.MkdirAll(p, 0o755))
	case isLink:
		Must(t, os.Symlink(target, p))
	case isProgram:
		Must(t, os.WriteFile(p, []byte(program), 0o755))
		Must(t, os.Chmod(p, 0o755))
	default:
		Must(t, os.WriteFile(p, []byte(content), 0o644))
	}
}

// Must ends the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Listing returns a directory as a map in the notation of [Plant].
func Listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		Must(t, err)
		rel, err := filepath.Rel(dir, p)
		Must(t, err)
		info, err := d.Info()
		Must(t, err)
		switch {
		case rel == ".":
		case d.IsDir():
			got[rel+"/"] = info.Mode().String()
		case d.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(p)
			Must(t, err)
			got[rel] = "->" + target
		default:
			data, err := os.ReadFile(p) //nolint:gosec // a directory of the test's own
			Must(t, err)
			got[rel] = info.Mode().String() + " " + string(data)
		}
		return nil
	})
	Must(t, err)
	return got
}

// Sparse makes a sparse file of any size.
func Sparse(t testing.TB, name string, size int64) {
	t.Helper()
	f, err := os.Create(name)
	Must(t, err)
	defer f.Close()
	Must(t, f.Truncate(size))
}

// WantUsage checks that err is one clear line about what the user can fix.
func WantUsage(t testing.TB, err error, texts ...string) {
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
