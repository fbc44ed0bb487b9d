package interpreter

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

const (
	node   = mcpsf.RuntimeNode
	python = mcpsf.RuntimePython
)

func TestShown(t *testing.T) {
	for name, c := range map[string]struct {
		files   []string
		program string
		rt      mcpsf.Runtime
		source  string // relative to the host directory; "" means refused
		mount   string
	}{
		"node of a version manager": {
			[]string{"v20/bin/node*", "v20/include/node/node.h"}, "v20/bin/node", node, "v20", "/opt/node",
		},
		"python of a version manager": {
			[]string{"3.12/bin/python3*", "3.12/lib/python3.12/os.py"}, "3.12/bin/python3", python, "3.12", "/opt/python",
		},
		"node in the home's bin shows only itself": {
			[]string{"bin/node*", ".ssh/id_rsa"}, "bin/node", node, "bin/node", "/opt/node/bin/node",
		},
		"a home with headers is a home": {
			[]string{"bin/node*", "include/node/node.h", ".bashrc"}, "bin/node", node, "bin/node", "/opt/node/bin/node",
		},
		"python in the home has no library to go with it": {
			[]string{"bin/python3*", "lib/python3.12/os.py", ".aws/credentials"}, "bin/python3", python, "", "",
		},
		"the user's own install directory": {
			[]string{"bin/node*", "include/node/node.h", "share/keyrings/login.keyring"}, "bin/node", node, "bin/node", "/opt/node/bin/node",
		},
		"an environment is not shown, what it was made of is": {
			[]string{"venv/bin/python3>../../3.12/bin/python3.12", "venv/pyvenv.cfg", "3.12/bin/python3.12*", "3.12/lib/python3.12/os.py"},
			"venv/bin/python3", python, "3.12", "/opt/python",
		},
		"a shim that is the version manager itself": {
			[]string{"shims/node>../bin/mise", "bin/mise*"}, "shims/node", node, "", "",
		},
		"another implementation": {
			[]string{"bin/python3>pypy3.10", "bin/pypy3.10*", "lib/python3.10/os.py"}, "bin/python3", python, "", "",
		},
		"a script is no runtime": {[]string{"bin/node"}, "bin/node", node, "", ""},
		"nothing there":          {nil, "bin/node", node, "", ""},
		"a directory":            {[]string{"bin/node/index.js"}, "bin/node", node, "", ""},
		"a link to itself":       {[]string{"bin/node>node"}, "bin/node", node, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := host(t, c.files...)
			m := &machine{common: []string{filepath.Dir(filepath.Join(root, c.program))}, system: []string{"/usr"}}
			list, _ := m.search(c.rt, "")
			if (len(list) == 1) != (c.source != "") {
				t.Fatalf("found %+v", list)
			}
			if c.source != "" && (list[0].Source != filepath.Join(root, c.source) || list[0].Mount != c.mount) {
				t.Errorf("shows %s at %s", list[0].Source, list[0].Mount)
			}
			if c.source != "" && !strings.HasPrefix(list[0].Program, list[0].Mount) {
				t.Errorf("starts %s", list[0].Program)
			}
		})
	}
}

// A program that the sandbox shows anyway is started by its own path, unless
// that path leads through a directory that is missing there.
func TestSystemProgram(t *testing.T) {
	root := host(t,
		"usr/bin/python3>python3.11", "usr/bin/python3.11*",
		"usr/bin/node>../../etc/alternatives/node", "etc/alternatives/node>ROOT/usr/bin/nodejs", "usr/bin/nodejs*",
		"home/venv/bin/python3>ROOT/usr/bin/python3.11",
	)
	m := &machine{system: []string{root + "/usr"}}
	for _, c := range []struct {
		rt         mcpsf.Runtime
		path, want string
	}{
		{python, "/usr/bin", "/usr/bin/python3"},
		{node, "/usr/bin", "/usr/bin/nodejs"},
		{python, "/home/venv/bin", "/usr/bin/python3.11"},
	} {
		list, _ := m.search(c.rt, root+c.path)
		if len(list) != 1 || list[0].Program != root+c.want || list[0].Source != "" || list[0].Mount != "" {
			t.Errorf("%s in %s: %+v", c.rt, c.path, list)
		}
	}
}

func TestOrder(t *testing.T) {
	root := host(t,
		"usr/local/bin/python3.9*", "usr/bin/python3>python3.11", "usr/bin/python3.11*", "usr/bin/python3.9*", "usr/bin/python3.10*",
		"usr/bin/python3.12-config*", "usr/bin/python3-dbg*", "usr/bin/python3.13t*",
		"home/.pyenv/shims/python3", "home/.pyenv/versions/3.9.1/bin/python3*", "home/.pyenv/versions/3.9.1/lib/python3.9/os.py",
		"home/.pyenv/versions/3.12.0/bin/python3*", "home/.pyenv/versions/3.12.0/lib/python3.12/os.py",
	)
	m := &machine{common: []string{root + "/usr/local/bin", root + "/usr/bin"}, system: []string{root + "/usr"}}
	list, closed := m.search(python, "relative:.::"+root+"/usr/bin:"+root+"/home/.pyenv/shims:"+root+"/missing")
	want := []string{
		"usr/local/bin/python3.9", "usr/bin/python3", "usr/bin/python3.10", "usr/bin/python3.9",
		"home/.pyenv/versions/3.12.0/bin/python3", "home/.pyenv/versions/3.9.1/bin/python3",
	}
	if diff := cmp.Diff(want, found(root, list)); diff != "" || len(closed) != 0 {
		t.Errorf("closed %v, found (-want +got):\n%s", closed, diff)
	}
}

func TestVersionManagers(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		path  string
		want  []string
	}{
		"pyenv keeps other things, too": {
			[]string{".pyenv/shims/node", ".pyenv/versions/3.12.0/bin/python3*"}, ".pyenv/shims", nil,
		},
		"asdf": {
			[]string{".asdf/shims/node", ".asdf/installs/nodejs/18.2.0/bin/node*", ".asdf/installs/nodejs/20.10.0/bin/node*"},
			".asdf/shims",
			[]string{".asdf/installs/nodejs/20.10.0/bin/node", ".asdf/installs/nodejs/18.2.0/bin/node"},
		},
		"mise": {
			[]string{"mise/shims/node>ROOT/bin/mise", "bin/mise*", "mise/installs/node/20/bin/node*", "mise/installs/node/9/bin/node*"},
			"mise/shims",
			[]string{"mise/installs/node/20/bin/node", "mise/installs/node/9/bin/node"},
		},
		"nvm, the active one first": {
			[]string{".nvm/versions/node/v18.1.0/bin/node*", ".nvm/versions/node/v22.1.0/bin/node*", ".nvm/versions/node/v20.1.0/bin/node*"},
			".nvm/versions/node/v20.1.0/bin",
			[]string{".nvm/versions/node/v20.1.0/bin/node", ".nvm/versions/node/v22.1.0/bin/node", ".nvm/versions/node/v18.1.0/bin/node"},
		},
		"volta": {
			[]string{".volta/bin/node>volta-shim", ".volta/bin/volta-shim*", ".volta/tools/image/node/20.1.0/bin/node*"},
			".volta/bin",
			[]string{".volta/tools/image/node/20.1.0/bin/node"},
		},
		"fnm": {
			[]string{
				"state/multishells/1_2>ROOT/fnm/node-versions/v18.1.0/installation", "fnm/node-versions/v18.1.0/installation/bin/node*",
				"fnm/node-versions/v20.1.0/installation/bin/node*",
			},
			"state/multishells/1_2/bin",
			[]string{"state/multishells/1_2/bin/node", "fnm/node-versions/v20.1.0/installation/bin/node"},
		},
		"a name that is a pattern": {
			[]string{"[ab]/shims/node", "[ab]/versions/20/bin/node*", "a/versions/18/bin/node*"}, "[ab]/shims",
			[]string{"[ab]/versions/20/bin/node"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := host(t, c.files...)
			list, _ := (&machine{}).search(node, filepath.Join(root, c.path))
			if diff := cmp.Diff(c.want, found(root, list)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBehindShims(t *testing.T) {
	root := host(t, "shims/python3", "versions/3.11/bin/python3*", "versions/3.12/bin/python3*", "versions/3.9/bin/python3*")
	want := []string{root + "/versions/3.12/bin", root + "/versions/3.11/bin", root + "/versions/3.9/bin"}
	if diff := cmp.Diff(want, managed(filepath.Join(root, "shims"))); diff != "" {
		t.Error(diff)
	}
}

// Root's sandbox runs as another user, who cannot enter root's home.
func TestClosed(t *testing.T) {
	root := host(t,
		"home/v22/bin/node*="+nodeMark("22.1.0"), "open/bin/node*="+nodeMark("20.1.0"), "mine/bin/node*="+nodeMark("24.1.0"),
	)
	for path, mode := range map[string]os.FileMode{"..": 0o755, "home": 0o700, "mine/bin/node": 0o750} {
		if err := os.Chmod(filepath.Join(root, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	path := root + "/home/v22/bin:" + root + "/open/bin:" + root + "/mine/bin"
	m := &machine{superuser: true}
	usable, closed := m.search(node, path)
	if diff := cmp.Diff([]string{"open/bin/node"}, found(root, usable)); diff != "" {
		t.Errorf("usable (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"home/v22/bin/node", "mine/bin/node"}, found(root, closed)); diff != "" {
		t.Errorf("closed (-want +got):\n%s", diff)
	}
	_, err := m.choose(node, "^22", path)
	wantUnavailable(t, err, "this server needs Node.js ^22", "this machine has 20.1.0 ("+root+"/open/bin/node)",
		"22.1.0 ("+root+"/home/v22/bin/node) lies where other users cannot go", "install Node.js ^22 for all users")

	m.superuser = false
	if usable, closed = m.search(node, path); len(usable) != 3 || len(closed) != 0 {
		t.Errorf("an ordinary user can use %d, not %d", len(usable), len(closed))
	}
}

func TestChoose(t *testing.T) {
	root := host(t, "a/node*="+nodeMark("18.2.0"), "b/node*="+nodeMark("20.1.0"), "c/node*", "d/python3.11*="+pythonMark("3.11.2"))
	path := strings.Join([]string{root + "/a", root + "/b", root + "/c"}, ":")
	m := &machine{system: []string{root}}
	for needs, want := range map[string]string{"": "a/node", "*": "a/node", ">=18": "a/node", ">=20": "b/node", "lts": "a/node"} {
		got, err := m.choose(node, needs, path)
		if err != nil || found(root, []Interpreter{got})[0] != want {
			t.Errorf("%q: %+v, %v", needs, got, err)
		}
	}
	_, err := m.choose(node, ">=22", path)
	wantUnavailable(t, err, "needs Node.js >=22", "18.2.0", "20.1.0", "of an unknown version", "install Node.js >=22 and try again")
	_, err = m.choose(python, ">=3.13", root+"/d")
	wantUnavailable(t, err, "needs Python >=3.13", "has 3.11.2 (", "install Python >=3.13")
	_, err = m.choose(python, "", root+"/a")
	wantUnavailable(t, err, "this server needs Python, which is not on this machine; install Python and try again")
	if text := missing(node, ">=99 \x1b[2J\n"+strings.Repeat("x", 1000)+"\u202e", nil, nil); strings.ContainsAny(text, "\x1b\n\u202e") || len(text) > 400 {
		t.Errorf("the message carries what the package said: %q", text)
	}
}

func wantUnavailable(t *testing.T, err error, words ...string) {
	t.Helper()
	var e *mcpsf.Error
	if !errors.As(err, &e) || e.Code != mcpsf.CodeUnavailable {
		t.Fatalf("error %v", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestNatural(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"3.9", "3.11", -1}, {"3.11", "3.9", 1}, {"3.11", "3.11", 0}, {"v9", "v10", -1}, {"1.2", "1.2.1", -1},
		{"01", "1", 0}, {"a", "1", 1}, {"99999999999999999999998", "99999999999999999999999", -1}, {"", "1", -1},
	} {
		if got := natural(c.a, c.b); (got > 0) != (c.want > 0) || (got < 0) != (c.want < 0) {
			t.Errorf("%q, %q: %d", c.a, c.b, got)
		}
	}
}
