package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// host builds a host directory; names ending in * get a program.
func host(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		content, mode := "text", os.FileMode(0o644)
		if n := len(name) - 1; name[n] == '*' {
			name, content, mode = name[:n], "\x7fELF program", 0o755
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestShown(t *testing.T) {
	for name, c := range map[string]struct {
		files   []string
		program string
		rt      mcpsf.Runtime
		source  string // relative to the host directory; "" means refused
		mount   string
	}{
		"node of a version manager": {
			[]string{"v20/bin/node*", "v20/include/node/node.h"}, "v20/bin/node", mcpsf.RuntimeNode, "v20", "/opt/node",
		},
		"python of a version manager": {
			[]string{"3.12/bin/python3*", "3.12/lib/python3.12/os.py"}, "3.12/bin/python3", mcpsf.RuntimePython, "3.12", "/opt/python",
		},
		"node in the home's bin shows only itself": {
			[]string{"bin/node*", ".ssh/id_rsa"}, "bin/node", mcpsf.RuntimeNode, "bin/node", "/opt/node/bin/node",
		},
		"a home with headers is a home": {
			[]string{"bin/node*", "include/node/node.h", ".bashrc"}, "bin/node", mcpsf.RuntimeNode, "bin/node", "/opt/node/bin/node",
		},
		"python in the home has no library to go with it": {
			[]string{"bin/python3*", "lib/python3.12/os.py", ".aws/credentials"}, "bin/python3", mcpsf.RuntimePython, "", "",
		},
		"the user's own install directory": {
			[]string{"bin/node*", "include/node/node.h", "share/keyrings/login.keyring"}, "bin/node", mcpsf.RuntimeNode, "bin/node", "/opt/node/bin/node",
		},
		"a script is no runtime": {[]string{"bin/node"}, "bin/node", mcpsf.RuntimeNode, "", ""},
		"nothing there":          {nil, "bin/node", mcpsf.RuntimeNode, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := host(t, c.files...)
			got, ok := shown(c.rt, filepath.Join(root, c.program))
			if ok != (c.source != "") {
				t.Fatalf("shown = %v: %+v", ok, got)
			}
			if ok && (got.Source != filepath.Join(root, c.source) || got.Mount != c.mount) {
				t.Errorf("shows %s at %s", got.Source, got.Mount)
			}
		})
	}
}

func TestBehindShims(t *testing.T) {
	root := host(t, "shims/python3", "versions/3.11/bin/python3*", "versions/3.12/bin/python3*")
	got := behind(filepath.Join(root, "shims/python3"))
	want := []string{"shims/python3", "versions/3.12/bin/python3", "versions/3.11/bin/python3"}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != filepath.Join(root, want[i]) {
			t.Errorf("%d: %s, want %s", i, got[i], want[i])
		}
	}
}
