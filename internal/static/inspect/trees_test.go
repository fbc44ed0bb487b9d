package inspect

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func files(names ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, name := range names {
		m[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return m
}

func walked(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDependencyTrees(t *testing.T) {
	for name, tt := range map[string]struct {
		own, installed fstest.MapFS
		want           []string
	}{
		"a published package of npm": {
			files("package.json", "dist/index.js"),
			files("code/server/package.json", "code/server/node_modules/notes/package.json", "code/server/node_modules/notes/dist/index.js",
				"code/server/node_modules/notes/extra.js", "code/server/node_modules/notes/node_modules/zod/index.js", "code/server/node_modules/ws/dist/index.js"),
			[]string{"code/server/node_modules/notes/extra.js", "code/server/node_modules/notes/node_modules/zod/index.js",
				"code/server/node_modules/notes/package.json", "code/server/node_modules/ws/dist/index.js"},
		},
		"a wheel": {
			files("notes/server.py"),
			files(".local/lib/site-packages/notes/server.py", ".local/lib/site-packages/notes-1.dist-info/METADATA", ".local/lib/site-packages/httpx/a.py", ".bashrc"),
			[]string{".local/lib/site-packages/httpx/a.py", ".local/lib/site-packages/notes-1.dist-info/METADATA"},
		},
		"a project": {
			files("package.json", "src/a.js"),
			files("code/server/package.json", "code/server/src/a.js", "code/server/node_modules/ws/a.js"),
			[]string{"code/server/node_modules/ws/a.js"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := walked(t, &dependencyTrees{FS: tt.installed, own: tt.own, name: "notes"})
			slices.Sort(tt.want)
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBeside(t *testing.T) {
	b := beside{files("index.js", ".installed/fake.js"), files("node_modules/ws/a.js")}
	want := []string{".installed/node_modules/ws/a.js", "index.js"}
	got := walked(t, b)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if data, err := fs.ReadFile(b, ".installed/node_modules/ws/a.js"); err != nil || string(data) != "node_modules/ws/a.js" {
		t.Errorf("reads %q (%v)", data, err)
	}
}
