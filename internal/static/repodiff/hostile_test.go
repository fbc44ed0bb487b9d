package repodiff

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpsf/mcpsf"
)

func compare(t *testing.T, own, repository fs.FS) *Result {
	t.Helper()
	result, err := Compare(t.Context(), &Input{Package: own, Repository: repository, Ecosystem: mcpsf.EcosystemNPM, Name: "demo", Version: "1.2.3", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestManyFiles checks that a tree with a hundred thousand files of one name is
// compared quickly, and that the report stays small.
func TestManyFiles(t *testing.T) {
	files := 20_000
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		files = 100_000
	}
	var own, repository []string
	for i := range files {
		own = append(own, fmt.Sprintf("dist/%d/a/index.js", i))
		repository = append(repository, fmt.Sprintf("src/x%d/a/index.js", i))
	}
	result := compare(t, zipped(t, own...), zipped(t, append(repository, "tsconfig.json")...))
	size := 0
	for _, f := range result.Facts {
		size += len(f.Text) + len(f.Path)
	}
	if result.Files != files || size > 10_000 {
		t.Errorf("%d files, %d bytes of facts", result.Files, size)
	}
}

// zipped is a tree of files that contain their own names. The standard test
// trees read every file to list a directory.
func zipped(t *testing.T, names ...string) fs.FS {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, name)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCut checks that nothing is reported about trees that were not read
// completely.
func TestCut(t *testing.T) {
	var names []string
	for i := range maxFiles + 1 {
		names = append(names, fmt.Sprintf("%d", i))
	}
	many := zipped(t, names...)
	own := fstest.MapFS{"index.js": {Data: []byte("x")}}
	for _, result := range []*Result{compare(t, own, many), compare(t, many, own), compare(t, own, fstest.MapFS{}), compare(t, own, unreadable{own}), compare(t, unreadable{own}, own)} {
		if len(result.Facts) > 0 || result.Missing == "" {
			t.Errorf("%+v", result)
		}
	}
}

// unreadable has files that cannot be opened.
type unreadable struct{ fstest.MapFS }

func (u unreadable) Open(name string) (fs.File, error) {
	if name == "." {
		return u.MapFS.Open(name)
	}
	return nil, fs.ErrPermission
}

// TestLarge checks that a file that is too large is counted, not read.
func TestLarge(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "huge.js"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil {
		t.Skip(err)
	}
	_ = f.Close()
	if err := os.WriteFile(filepath.Join(dir, "index.js"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	result := compare(t, os.DirFS(dir), fstest.MapFS{"index.js": {Data: []byte("x")}, "package.json": {Data: []byte(`{"name":"demo"}`)}})
	if len(result.Facts) > 0 || len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "too large") {
		t.Errorf("%+v", result)
	}
}

// TestLinks checks that links in either tree are not followed.
func TestLinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.js"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"out.js": filepath.Join(outside, "secret.js"), "dir": outside, "loop": ".", "self.js": "self.js"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	own := fstest.MapFS{"secret.js": {Data: []byte("secret")}, "index.js": {Data: []byte("x")}}
	if err := os.WriteFile(filepath.Join(dir, "index.js"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	result := compare(t, own, os.DirFS(dir))
	if result.Same != 1 || len(result.Facts) != 1 || result.Facts[0].Kind != FactAdded {
		t.Errorf("%+v", result)
	}
}

// TestNames checks that control characters in names are escaped.
func TestNames(t *testing.T) {
	own := fstest.MapFS{"index.js": {Data: []byte("x")}, "a\x1b[2J\n\u202e.js": {Data: []byte("y")}, strings.Repeat("long", 500) + ".js": {Data: []byte("z")}}
	result := compare(t, own, fstest.MapFS{"index.js": {Data: []byte("x")}})
	if len(result.Facts) != 1 {
		t.Fatalf("%+v", result)
	}
	f := result.Facts[0]
	if text := f.Path + f.Text; strings.ContainsAny(text, "\x1b\n\u202e") || len(text) > 2000 {
		t.Errorf("%q", text)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := fstest.MapFS{"index.js": {Data: []byte("x")}}
	if _, err := Compare(ctx, &Input{Package: files, Repository: files}); err == nil {
		t.Error("no error")
	}
}

// FuzzCompare makes two trees of its input: the comparison must end, and its
// output must not contain control characters.
func FuzzCompare(f *testing.F) {
	f.Add(`{"scripts":{"postinstall":"node a.js"}}`, "dist/a.js", "import os\n", "src/a.ts", true)
	f.Add(`{"name":7,"scripts":[]}`, "x.pth", "import os;\x1b", "setup.py", false)
	f.Fuzz(func(t *testing.T, manifest, name, text, other string, npm bool) {
		if !fs.ValidPath(name) || !fs.ValidPath(other) {
			return
		}
		in := &Input{
			Package:    fstest.MapFS{"package.json": {Data: []byte(manifest)}, name: {Data: []byte(text)}},
			Repository: fstest.MapFS{"package.json": {Data: []byte(manifest)}, other: {Data: []byte(text + "x")}},
			Ecosystem:  mcpsf.EcosystemPyPI, Version: "1", Dir: "x", Exact: npm,
		}
		if npm {
			in.Ecosystem = mcpsf.EcosystemNPM
		}
		result, err := Compare(t.Context(), in)
		if err != nil {
			t.Skip(err) // fstest refuses impossible trees
		}
		for _, fact := range result.Facts {
			if strings.ContainsAny(fact.Path+fact.Text, "\x1b\n\u202e") {
				t.Errorf("%+v", fact)
			}
		}
	})
}
