package pypi

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestPyPIFacts(t *testing.T) {
	script := func(path, text string) mcpsf.Fact {
		return mcpsf.Fact{Kind: "manifest.script", Path: path, Text: text}
	}
	only := func(pyproject string) []byte {
		return sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("demo-server-2.0/pyproject.toml", pyproject), sourcetest.TarFile("demo-server-2.0/demo_server.py", "x")))
	}
	for _, test := range []struct {
		name, file string
		data       []byte
		want       []mcpsf.Fact
	}{
		{name: "plain source", file: "demo-server-2.0.tar.gz", data: sdist(t, "2.0")},
		{name: "setup.py", file: "demo-server-2.0.tar.gz", data: sdist(t, "2.0", sourcetest.TarFile("setup.py", "x")),
			want: []mcpsf.Fact{script("setup.py", "setup.py runs when the package is installed")}},
		{name: "setup.py below", file: "demo-server-2.0.tar.gz", data: sdist(t, "2.0", sourcetest.TarFile("tests/setup.py", "x"))},
		{name: "own backend", file: "demo-server-2.0.tar.gz", data: only("[build-system]\nbuild-backend = \"steal.everything\"\n"),
			want: []mcpsf.Fact{script("pyproject.toml", `build-backend "steal.everything" runs when the package is installed`)}},
		{name: "own backend under a good name", file: "demo-server-2.0.tar.gz", data: only("[build-system]\nbackend-path = [\"_build\"]\nbuild-backend = \"setuptools.build_meta\"\n"),
			want: []mcpsf.Fact{script("pyproject.toml", `build-backend "setuptools.build_meta" runs when the package is installed`)}},
		{name: "own backend with an escape", file: "demo-server-2.0.tar.gz", data: only("[build-system]\nbuild-backend = \"a\\u001b[2J\"\n"),
			want: []mcpsf.Fact{script("pyproject.toml", `build-backend "a\x1b[2J" runs when the package is installed`)}},
		{name: "no backend", file: "demo-server-2.0.zip", data: sourcetest.Zip(t, sourcetest.ZipItem{Name: "d/demo_server.py", Text: "x"}, sourcetest.ZipItem{Name: "d/setup.cfg", Text: "x"})},
		{name: "wheel with .pth", file: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0", sourcetest.ZipItem{Name: "demo.pth", Text: "import os"}),
			want: []mcpsf.Fact{script("demo.pth", "demo.pth takes effect whenever Python starts")}},
		{name: "wheel with .pth in its data", file: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0", sourcetest.ZipItem{Name: "demo_server-2.0.data/purelib/a.pth", Text: "x"}, sourcetest.ZipItem{Name: "demo_server-2.0.data/data/lib/python3.11/site-packages/b.pth", Text: "x"}),
			want: []mcpsf.Fact{
				script("demo_server-2.0.data/data/lib/python3.11/site-packages/b.pth", "b.pth takes effect whenever Python starts"),
				script("demo_server-2.0.data/purelib/a.pth", "a.pth takes effect whenever Python starts"),
			}},
		{name: "wheel with sitecustomize", file: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0", sourcetest.ZipItem{Name: "sitecustomize.py", Text: "x"}),
			want: []mcpsf.Fact{script("sitecustomize.py", "sitecustomize.py takes effect whenever Python starts")}},
		{name: "wheel with weights", file: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0", sourcetest.ZipItem{Name: "demo_server/model.pth", Text: "x"}, sourcetest.ZipItem{Name: "setup.py", Text: "x"})},
		{name: "wheel of two", file: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0", sourcetest.ZipItem{Name: "other.dist-info/METADATA", Text: "x"}, sourcetest.ZipItem{Name: "a.pth", Text: "x"}),
			want: []mcpsf.Fact{script("a.pth", "a.pth takes effect whenever Python starts")}},
		{name: "traversal", file: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0", sourcetest.ZipItem{Name: "../../pwn", Text: "x"}),
			want: []mcpsf.Fact{{Kind: archive.FactRefused, Path: "../../pwn", Text: "its name leads upwards, to where it has no business"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newIndex(t, map[string][]upload{"demo-server": {{name: test.file, data: test.data}}})
			a, facts, err := fetched(t, x, "pypi:demo-server", kind.Options{})
			sourcetest.Must(t, err)
			if diff := cmp.Diff(test.want, facts); diff != "" {
				t.Errorf("facts differ (-want +got):\n%s", diff)
			}
			if filepath.Base(a.Install.Package) != test.file || a.Version != "2.0" {
				t.Errorf("package is %s, version %s", a.Install.Package, a.Version)
			}
		})
	}
}

// TestPyPISource: a source is unpacked without its top directory, and is chosen
// only if no wheel fits.
func TestPyPISource(t *testing.T) {
	x := newIndex(t, map[string][]upload{"demo-server": {
		{name: "demo_server-2.0-cp311-cp311-win_amd64.whl", data: wheel(t, "2.0")},
		{name: "demo-server-2.0.zip", data: sourcetest.Zip(t, sourcetest.ZipItem{Name: "demo/x.py", Text: "x"})},
		{name: "demo-server-2.0.tar.gz", data: sdist(t, "2.0")},
		{name: "demo_server-3.0-cp311-cp311-win_amd64.whl", data: wheel(t, "3.0")},
		{name: "demo_server-4.0-py3-none-any.whl", data: wheel(t, "4.0"), requires: ">=3.99"},
	}})
	a, _, err := fetched(t, x, "pypi:demo-server", kind.Options{Python: "3.11.2"})
	sourcetest.Must(t, err)
	if filepath.Base(a.Install.Package) != "demo-server-2.0.tar.gz" {
		t.Errorf("package is %s", a.Install.Package)
	}
	if diff := cmp.Diff([]string{"passed over version 4.0: it needs Python >=3.99, and this machine has 3.11.2"}, a.Notes); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
	if _, ok := sourcetest.Listing(t, a.Dir)["src/demo_server/__init__.py"]; !ok {
		t.Errorf("unpacked %v", sourcetest.Listing(t, a.Dir))
	}
}

// TestPyPIOtherName: the archive's own name for itself does not count.
func TestPyPIOtherName(t *testing.T) {
	data := sourcetest.Zip(t, sourcetest.ZipItem{Name: "x/server.py", Text: "x"}, sourcetest.ZipItem{Name: "x/pyproject.toml", Text: "[project]\nname = \"well-known\"\nversion = \"9.9\"\n"})
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo-server-2.0.zip", data: data}}})
	a, _, err := fetched(t, x, "pypi:demo-server", kind.Options{})
	sourcetest.Must(t, err)
	if a.Name != "demo-server" || a.Version != "2.0" || len(a.Notes) != 1 {
		t.Errorf("artifact is %s %s, notes %q", a.Name, a.Version, a.Notes)
	}
}
