package interpreter

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

const nodeDefines = "#ifndef X\n#define NODE_MAJOR_VERSION 20\n#define NODE_MINOR_VERSION 5\n#define NODE_PATCH_VERSION 1\n#define NODE_TAG \"\"\n"

func TestVersionOf(t *testing.T) {
	far := strings.Repeat("\x00filling", 300_000) // more than two pieces
	for name, c := range map[string]struct {
		rt    mcpsf.Runtime
		files []string
		file  string
		want  string
	}{
		"node's header":           {node, []string{"bin/node*=" + nodeMark("18.0.0"), "include/node/node_version.h=" + nodeDefines}, "bin/node", "20.5.1"},
		"a second node":           {node, []string{"bin/node-18*=" + nodeMark("18.0.0"), "include/node/node_version.h=" + nodeDefines}, "bin/node-18", "18.0.0"},
		"half a header":           {node, []string{"bin/node*=" + nodeMark("18.1.0"), "include/node/node_version.h=" + nodeDefines[:60]}, "bin/node", "18.1.0"},
		"node itself":             {node, []string{"bin/node*=" + far + nodeMark("20.20.2") + far}, "bin/node", "20.20.2"},
		"a node without debugger": {node, []string{"bin/node*=x/download/release/v16.4.12/node"}, "bin/node", "16.4.12"},
		"a pre-release":           {node, []string{"bin/node*=" + nodeMark("23.0.0-nightly")}, "bin/node", "23.0.0"},
		"node in a library":       {node, []string{"bin/node*", "lib/x86_64-linux-gnu/libnode.so.108=" + nodeMark("18.19.0")}, "bin/node", "18.19.0"},
		"node that says nothing":  {node, []string{"bin/node*=node.js/vX and node.js/v1.2"}, "bin/node", ""},

		"python's header": {python, []string{"bin/python3.11*", "include/python3.11/patchlevel.h=#define PY_VERSION      \t\"3.11.4+\"\n"}, "bin/python3.11", "3.11.4"},
		"another's header": {
			python, []string{"bin/python3.11*", "include/python3.11/patchlevel.h=#define PY_VERSION \"3.12.4\"\n"}, "bin/python3.11", "3.11",
		},
		"python itself":            {python, []string{"bin/python3.11*=" + far + pythonMark("3.11.2") + far}, "bin/python3.11", "3.11.2"},
		"a build of one's own":     {python, []string{"bin/python3.13*=" + pythonMark("3.13.0rc1+")}, "bin/python3.13", "3.13.0"},
		"the end of a path":        {python, []string{"bin/python3.12*=/versions/3.12.1\x00"}, "bin/python3.12", "3.12.1"},
		"other numbers before":     {python, []string{"bin/python3.1*=13.1.4\x00 1.3.1.4\x00 3.1.4 \x003.1.5\x00"}, "bin/python3.1", "3.1.5"},
		"python's library":         {python, []string{"bin/python3.12*", "lib/libpython3.12.so.1.0=" + pythonMark("3.12.7")}, "bin/python3.12", "3.12.7"},
		"a program without number": {python, []string{"bin/python3*=" + pythonMark("3.12.7"), "lib/python3.12/os.py"}, "bin/python3", "3.12.7"},
		"which of two": {
			python, []string{"bin/python3*=" + pythonMark("3.11.7"), "lib/python3.12/os.py", "lib/python3.11/os.py"}, "bin/python3", "3.11.7",
		},
		"only its name":   {python, []string{"bin/python3.11*"}, "bin/python3.11", "3.11"},
		"not even a name": {python, []string{"bin/python3*=" + pythonMark("3.11.7")}, "bin/python3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := host(t, c.files...)
			if got := versionOf(c.rt, root+"/"+c.file); got != c.want {
				t.Errorf("version %q, want %q", got, c.want)
			}
		})
	}
}

// A version is found completely wherever it lies between the pieces.
func TestScanAcrossPieces(t *testing.T) {
	const piece = 1 << 20
	filling := strings.Repeat("x", piece)
	for at := piece - 60; at < piece; at++ {
		for text, want := range map[string]string{"node.js/v20.20.12\x00": "20.20.12", "\x003.11.12\x00": "3.11.12", "13.11.12\x00": ""} {
			r := io.MultiReader(strings.NewReader(filling[:at]), strings.NewReader(text), strings.NewReader(filling))
			mark, read := "3.11.", pythonAt("3.11")
			if strings.HasPrefix(text, "node") {
				mark, read = "node.js/v", nodeAt
			}
			if got := scan(r, mark, read); got != want {
				t.Fatalf("%q at %d: %q", text, at, got)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(nodeMark("20.1.2")), []byte(nodeDefines))
	f.Add([]byte(pythonMark("3.11.2")), []byte("#define PY_VERSION \"3.11.2+\"\n"))
	f.Add([]byte("node.js/vnode.js/v3.11.3.11."), []byte("#define NODE_MAJOR_VERSION"))
	version := regexp.MustCompile(`^(\d{1,4}\.\d{1,4}\.\d{1,4})?$`)
	f.Fuzz(func(t *testing.T, program, header []byte) {
		for _, got := range []string{
			scan(strings.NewReader(string(program)), "node.js/v", nodeAt),
			scan(strings.NewReader(string(program)), "3.11.", pythonAt("3.11")),
			nodeHeader(header),
		} {
			if !version.MatchString(got) {
				t.Errorf("version %q", got)
			}
		}
	})
}
