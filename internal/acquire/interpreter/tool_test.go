package interpreter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const npmManifestText = `{"name": "npm", "version": "10.8.2", "engines": {"node": "^18.17.0 || >=20.5.0"}}`

func TestNPM(t *testing.T) {
	npm := func(dir string) []string {
		return []string{dir + "/package.json=" + npmManifestText, dir + "/bin/npm-cli.js"}
	}
	for name, c := range map[string]struct {
		files []string
		path  string
		want  *Tool // paths relative to the host directory
	}{
		"of the system": {
			append(npm("usr/lib/node_modules/npm"), "usr/bin/node*="+nodeMark("20.20.2")), "usr/bin",
			&Tool{Args: []string{"ROOT/usr/bin/node", "ROOT/usr/lib/node_modules/npm/bin/npm-cli.js"}},
		},
		"of Debian": {
			append(npm("usr/share/nodejs/npm"), "usr/bin/node*="+nodeMark("20.20.2")), "usr/bin",
			&Tool{Args: []string{"ROOT/usr/bin/node", "ROOT/usr/share/nodejs/npm/bin/npm-cli.js"}},
		},
		"Debian's is not for others": {
			append(npm("usr/share/nodejs/npm"), "home/v20/bin/node*="+nodeMark("20.20.2")), "home/v20/bin", nil,
		},
		"of a version manager": {
			append(npm("home/v20/lib/node_modules/npm"), "home/v20/bin/node*="+nodeMark("20.20.2"), "home/v20/include/node/node.h"), "home/v20/bin",
			&Tool{Args: []string{"/opt/node/bin/node", "/opt/node/lib/node_modules/npm/bin/npm-cli.js"}},
		},
		"of a node that is shown alone": {
			append(npm("home/lib/node_modules/npm"), "home/bin/node*="+nodeMark("20.20.2"), "home/.bashrc"), "home/bin",
			&Tool{Args: []string{"/opt/node/bin/node", "/opt/npm/bin/npm-cli.js"}, Source: "ROOT/home/lib/node_modules/npm", Mount: "/opt/npm"},
		},
		"the system's for another node": {
			append(npm("usr/lib/node_modules/npm"), "home/bin/node*="+nodeMark("22.1.0")), "home/bin",
			&Tool{Args: []string{"/opt/node/bin/node", "ROOT/usr/lib/node_modules/npm/bin/npm-cli.js"}},
		},
		"a node it does not run on": {
			append(npm("usr/lib/node_modules/npm"), "usr/bin/node*="+nodeMark("16.1.0")), "usr/bin", nil,
		},
		"none": {[]string{"usr/bin/node*=" + nodeMark("20.20.2")}, "usr/bin", nil},
		"something else of that name": {
			[]string{"usr/bin/node*=" + nodeMark("20.20.2"), "usr/lib/node_modules/npm/package.json={\"name\":\"x\",\"version\":\"1.0.0\"}", "usr/lib/node_modules/npm/bin/npm-cli.js"},
			"usr/bin", nil,
		},
		"a version with escapes": {
			[]string{"usr/bin/node*=" + nodeMark("20.20.2"), "usr/lib/node_modules/npm/package.json={\"name\":\"npm\",\"version\":\"1.0.0\\u001b[2J\"}", "usr/lib/node_modules/npm/bin/npm-cli.js"},
			"usr/bin", nil,
		},
		"half of it": {[]string{"usr/bin/node*=" + nodeMark("20.20.2"), "usr/lib/node_modules/npm/package.json=" + npmManifestText}, "usr/bin", nil},
	} {
		t.Run(name, func(t *testing.T) {
			root := host(t, c.files...)
			m := &machine{common: []string{root + "/usr/bin"}, system: []string{root + "/usr"}}
			list, _ := (&machine{system: m.system}).search(node, filepath.Join(root, c.path))
			if len(list) != 1 {
				t.Fatalf("found %+v", list)
			}
			got, ok := m.npm(list[0])
			if ok != (c.want != nil) {
				t.Fatalf("found %+v", got)
			}
			if ok {
				c.want.Version, c.want.From = "10.8.2", "this machine"
				rooted(c.want, root)
				if diff := cmp.Diff(*c.want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func rooted(tool *Tool, root string) {
	tool.Source = strings.ReplaceAll(tool.Source, "ROOT", root)
	for i := range tool.Args {
		tool.Args[i] = strings.ReplaceAll(tool.Args[i], "ROOT", root)
	}
}

func TestPip(t *testing.T) {
	installed := func(dir string) []string {
		return []string{dir + "/pip/__init__.py=x\n__version__ = \"23.0.1\"\n", dir + "/pip/__pip-runner__.py"}
	}
	system := []string{"usr/bin/python3>python3.11", "usr/bin/python3.11*=" + pythonMark("3.11.2")}
	own := []string{"v/3.12.1/bin/python3.12*=" + pythonMark("3.12.1"), "v/3.12.1/lib/python3.12/os.py"}
	const wheel = "pip-23.0.1-py3-none-any.whl"
	for name, c := range map[string]struct {
		files []string
		path  string
		want  string // "" if there is none
	}{
		"of Debian, before its wheel": {
			append(append(installed("usr/lib/python3/dist-packages"), "usr/share/python-wheels/"+wheel), system...), "usr/bin",
			"ROOT/usr/lib/python3/dist-packages/pip/__pip-runner__.py",
		},
		"Debian's wheel": {append(system, "usr/share/python-wheels/"+wheel, "usr/share/python-wheels/pip-9.0-py3-none-any.whl"), "usr/bin", "ROOT/usr/share/python-wheels/" + wheel + "/pip"},
		"of a version manager": {
			append(installed("v/3.12.1/lib/python3.12/site-packages"), own...), "v/3.12.1/bin", "/opt/python/lib/python3.12/site-packages/pip/__pip-runner__.py",
		},
		"the bundled wheel": {
			append(own, "v/3.12.1/lib/python3.12/ensurepip/_bundled/"+wheel), "v/3.12.1/bin",
			"/opt/python/lib/python3.12/ensurepip/_bundled/" + wheel + "/pip",
		},
		"an old one without runner": {
			append(own, "v/3.12.1/lib/python3.12/site-packages/pip/__init__.py=__version__ = \"23.0.1\"\n", "v/3.12.1/lib/python3.12/site-packages/pip/__main__.py"),
			"v/3.12.1/bin", "",
		},
		"another python's":    {append(installed("usr/lib/python3.10/site-packages"), system...), "usr/bin", ""},
		"another wheel":       {append(system, "usr/share/python-wheels/setuptools-66.1.1-py3-none-any.whl", "usr/share/python-wheels/pip-x.whl"), "usr/bin", ""},
		"the system's is not": {append(append(installed("usr/lib/python3/dist-packages"), system...), own...), "v/3.12.1/bin", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := host(t, c.files...)
			m := &machine{system: []string{root + "/usr"}}
			list, _ := m.search(python, filepath.Join(root, c.path))
			if len(list) != 1 {
				t.Fatalf("found %+v", list)
			}
			got, ok := m.pip(list[0])
			if ok != (c.want != "") {
				t.Fatalf("found %+v", got)
			}
			want := Tool{Args: []string{c.want}, Version: "23.0.1", From: "this machine"}
			rooted(&want, root)
			if ok && !cmp.Equal(want, got) {
				t.Error(cmp.Diff(want, got))
			}
		})
	}
}

// Root's sandbox runs as another user, who cannot read files that only root can
// read.
func TestToolClosed(t *testing.T) {
	root := host(t, "usr/bin/python3.11*="+pythonMark("3.11.2"), "usr/share/python-wheels/pip-23.0.1-py3-none-any.whl",
		"usr/bin/node*="+nodeMark("20.20.2"), "usr/lib/node_modules/npm/package.json="+npmManifestText, "usr/lib/node_modules/npm/bin/npm-cli.js")
	m := &machine{system: []string{root + "/usr"}}
	pythons, _ := m.search(python, root+"/usr/bin")
	nodes, _ := m.search(node, root+"/usr/bin")
	for path, mode := range map[string]os.FileMode{"..": 0o755, "usr/share/python-wheels": 0o700, "usr/lib/node_modules": 0o700} {
		if err := os.Chmod(filepath.Join(root, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, superuser := range []bool{false, true} {
		m.superuser = superuser
		if _, ok := m.pip(pythons[0]); ok == superuser {
			t.Errorf("superuser %v: pip is usable: %v", superuser, ok)
		}
		if _, ok := m.npm(nodes[0]); ok == superuser {
			t.Errorf("superuser %v: npm is usable: %v", superuser, ok)
		}
	}
}
