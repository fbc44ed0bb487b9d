package inventory

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// archived parses a tree from text: "a -> b" is a symbolic link.
func archived(a *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		name, target, link := strings.Cut(f.Name, " -> ")
		switch {
		case name == "want.golden":
		case link:
			fsys[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
		default:
			fsys[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return fsys
}

// Small trees with one feature each, and their packages.
func TestTrees(t *testing.T) {
	files, err := filepath.Glob("testdata/trees/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d trees, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := tell(read(t, archived(a), nil))
			want := ""
			for i, f := range a.Files {
				if f.Name != "want.golden" {
					continue
				}
				want = string(f.Data)
				if *update {
					a.Files[i].Data, want = []byte(got), got
					if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
