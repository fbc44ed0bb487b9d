package code_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// What a server's own files do and load is known by file and line.
func TestOwnFiles(t *testing.T) {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	r := read(t, fstest.MapFS{
		"server.py":         text("import os, importlib\nfrom pkg import lazy\ndef f(name, x):\n    open('a')\n    getattr(os, name)(x)\n    importlib.import_module(name)\n    os.path.join('a', x)\n"),
		"pkg/__init__.py":   text(""),
		"pkg/lazy.py":       text("import urllib.request\nurllib.request.urlopen('http://a.example')\n"),
		"setup.py":          text("import shutil\nshutil.rmtree('build')\n"),
		"tests/test_it.py":  text("open('b')\n"),
		"web/index.js":      text("const h = require('./helper');\nconst c = require('child_process');\nc.spawn('worker.mjs');\nimport(h.name);\n"),
		"web/helper.js":     text("exports.name = fetch('http://a.example');\n"),
		"web/worker.mjs":    text("eval('1');\n"),
		"web/unrelated.mjs": text("eval('1');\n"),
	})
	got := map[string]string{}
	for _, f := range r.Own {
		line := fmt.Sprint(f.Python, " ", f.Aside, " ", f.Loads, " ", f.Computed)
		for _, p := range f.Places {
			line += fmt.Sprintf(" %d:%s", p.Line, p.Name)
		}
		got[f.Path] = line
	}
	want := map[string]string{
		"server.py":         "true false [pkg/__init__.py pkg/lazy.py] [6] 4:open 6:import of something computed 5:getattr()",
		"pkg/__init__.py":   "true false [] []",
		"pkg/lazy.py":       "true false [] [] 2:urllib.request.urlopen",
		"setup.py":          "true false [] [] 2:shutil.rmtree",
		"tests/test_it.py":  "true true [] [] 1:open",
		"web/index.js":      "false false [web/helper.js web/worker.mjs] [3] 3:child_process.spawn 3:import of something computed",
		"web/helper.js":     "false false [] [] 1:fetch",
		"web/worker.mjs":    "false false [] [] 1:eval",
		"web/unrelated.mjs": "false false [] [] 1:eval",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
