package project

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// A file of the package is started where npm has put it.
func TestInstalledCommand(t *testing.T) {
	file, dir := fstest.MapFS{"d/f": {}}, "d"
	info, err := file.Stat("d/f")
	if err != nil {
		t.Fatal(err)
	}
	above, err := file.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree := staging.NewTree()
	tree.ByPath["dist"] = &staging.Entry{Path: "dist", Info: above}
	tree.ByPath["dist/stdio.js"] = &staging.Entry{Path: "dist/stdio.js", Info: info}
	at := placeOf(&mcpsf.Artifact{Name: "@a/b", Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM, Package: "b.tgz"}})
	got := at.command([]string{"node", mcpsf.WorkDir + "/dist/stdio.js", "dist/stdio.js", mcpsf.WorkDir + "/other"}, tree)
	want := []string{"node", mcpsf.WorkDir + "/node_modules/@a/b/dist/stdio.js", "node_modules/@a/b/dist/stdio.js", mcpsf.WorkDir + "/other"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What follows -- uses what was installed.
func TestGiven(t *testing.T) {
	node := packageJSON{about: about{name: "@a/b"}, bin: map[string]string{"serve": "dist/serve.js"}}
	python := &Project{installed: &installation{manager: mcpsf.ManagerPip, name: "x"}}
	published := &Project{node: node, installed: &installation{manager: mcpsf.ManagerNPM, name: "@a/b", prefix: "node_modules/@a/b"}}
	folder := &Project{node: node, installed: &installation{manager: mcpsf.ManagerNPM, name: "@a/b"}}
	const bin, modules = mcpsf.WorkDir + "/.venv/bin/", mcpsf.WorkDir + "/node_modules/"
	for _, tt := range []struct {
		p             *Project
		command, want string
	}{
		{python, "python3 -m x --flag", bin + "python -m x --flag"},
		{python, "python server.py", bin + "python server.py"},
		{python, "python3.11 server.py", bin + "python server.py"},
		{python, "/home/me/x/.venv/bin/python -m x", bin + "python -m x"},
		{python, "/usr/bin/python3 -m x", "/usr/bin/python3 -m x"},
		{python, "uvx x --flag", bin + "x --flag"},
		{python, "uv run server.py", bin + "python server.py"},
		{python, "uv run -m x", bin + "python -m x"},
		{python, "uv run tool", "tool"},
		{python, "node x.js", "node x.js"},
		{python, "npx x", "npx x"},
		{published, "npx -y @a/b@1 --flag", "node " + modules + "@a/b/dist/serve.js --flag"},
		{published, "npx -p @a/b serve", "node " + modules + "@a/b/dist/serve.js"},
		{published, "npx other", modules + ".bin/other"},
		{published, "node x.js", "node x.js"},
		{published, "python3 x.py", "python3 x.py"},
		{folder, "npx @a/b", "node " + mcpsf.WorkDir + "/dist/serve.js"},
		{folder, "npx serve x", "node " + mcpsf.WorkDir + "/dist/serve.js x"},
		{folder, "npx tsx src/x.ts", modules + ".bin/tsx src/x.ts"},
	} {
		if got := strings.Join(tt.p.installed.given(strings.Fields(tt.command), &tt.p.node), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.command, got, tt.want)
		}
	}
}
