package interpreter

import (
	"archive/tar"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

func npmTarball(t *testing.T, version string) []byte {
	return tarball(t, nil, "package/package.json={\"name\":\"npm\",\"version\":\""+version+"\"}", "package/bin/npm-cli.js=x", "package/node_modules/a/index.js=y")
}

func TestNPMFromRegistry(t *testing.T) {
	s, trees := newShop(t), newTrees(t)
	versions, engines := map[string][]byte{}, map[string]any{}
	for v, needs := range map[string]any{
		"6.14.0": "6 || 8 || >=9.3.0", "10.9.4": "^18.17.0 || >=20.5.0", "11.2.0": "^20.17.0 || >=22.9.0", "12.1.0": ">=20", "1.0.0": 7,
	} {
		versions[v], engines[v] = npmTarball(t, v), map[string]any{"node": needs}
	}
	s.sells(t, "npm", versions, engines)
	client := s.client(t)
	for version, want := range map[string]string{"20.20.2": "11.2.0", "18.20.0": "10.9.4", "16.0.0": "6.14.0", "22.1.0": "10.9.4"} {
		on := Interpreter{Runtime: node, Version: version, Program: "/usr/bin/node"}
		got, release, err := NPMFromRegistry(t.Context(), client, trees, on)
		if err != nil {
			t.Fatal(err)
		}
		wantTool := Tool{
			Args: []string{"/usr/bin/node", "/opt/npm/bin/npm-cli.js"}, Source: got.Source, Mount: "/opt/npm", Version: want, From: "npm package npm",
		}
		if diff := cmp.Diff(wantTool, got); diff != "" {
			t.Errorf("node %s: %s", version, diff)
		}
		if diff := cmp.Diff([]string{"bin/npm-cli.js", "node_modules/a/index.js", "package.json"}, within(t, got.Source)); diff != "" {
			t.Error(diff)
		}
		info, err := os.Stat(filepath.Join(got.Source, "node_modules/a"))
		if err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("directory %v, %v", info, err)
		}
		release()
	}
	s.asked = nil
	_, release, err := NPMFromRegistry(t.Context(), client, trees, Interpreter{Runtime: node, Version: "20.20.2"})
	if err != nil || len(s.asked) != 0 {
		t.Fatalf("the second time: %v, asked for %v", err, s.asked)
	}
	release()
}

func TestNPMFromRegistryHostile(t *testing.T) {
	cli := "package/bin/npm-cli.js=x"
	for name, c := range map[string]struct {
		tarball []byte
		words   string
	}{
		"climbs":         {tarball(t, nil, cli, "package/../../evil=x"), "leads out"},
		"absolute":       {tarball(t, nil, cli, "package//etc/evil=x"), "leads out"},
		"backslash":      {tarball(t, nil, cli, "package/..\\evil=x"), "leads out"},
		"twice":          {tarball(t, nil, cli, cli), "each other's way"},
		"file below one": {tarball(t, nil, cli, cli[:22]+"/x=y"), "each other's way"},
		"link":           {tarball(t, []tar.Header{{Name: "package/x", Typeflag: tar.TypeSymlink, Linkname: "/"}}, cli, "package/x/evil=1"), "link or a device"},
		"device":         {tarball(t, []tar.Header{{Name: "package/x", Typeflag: tar.TypeChar}}, cli), "link or a device"},
		"a long name":    {tarball(t, nil, cli, "package/"+strings.Repeat("x", 300)+"=y"), "too long"},
		"another thing":  {tarball(t, nil, "package/index.js=x"), "no program"},
		"the download":   {tarball(t, nil, cli, "package/.download=x"), "each other's way"},
	} {
		t.Run(name, func(t *testing.T) {
			s, trees := newShop(t), newTrees(t)
			s.sells(t, "npm", map[string][]byte{"10.1.0": c.tarball}, nil)
			_, _, err := NPMFromRegistry(t.Context(), s.client(t), trees, Interpreter{Runtime: node, Version: "20.1.0"})
			wantUnavailable(t, err, c.words)
			if len(trees.kept) != 0 {
				t.Errorf("kept %v", trees.kept)
			}
		})
	}
}

func TestPipFromIndex(t *testing.T) {
	files := func(v string) []byte {
		return wheel(t, "pip/__init__.py=", "pip/__main__.py=", "pip/__pip-runner__.py="+v, "pip-"+v+".dist-info/METADATA=x")
	}
	old := wheel(t, "pip/__main__.py=")
	for form, index := range map[string]func(s *shop) string{
		"html": func(s *shop) string {
			return fmt.Sprintf("<!DOCTYPE html><html><body><a href=\"../../files/pip-26.1.tar.gz#sha256=%[1]s\">x</a>\n"+
				"<a href=\"../../files/pip-26.1-py3-none-any.whl#sha256=%[1]s\" data-requires-python=\"&gt;=3.10\">pip-26.1-py3-none-any.whl</a><br/>\n"+
				"<A data-yanked HREF='../../files/pip-26.2-py3-none-any.whl#sha256=%[1]s'>x</A>"+
				"<a href=\"../../files/pip-26.3-py3-none-any.whl\">no digest</a>"+
				"<a rel=\"internal\" href=\"%[4]s/files/pip-25.0-py3-none-any.whl#sha256=%[2]s\" data-requires-python=\">=3.8\">x</a>"+
				"<a href=/files/pip-21.3.1-py3-none-any.whl#sha256=%[3]s>x</a></body>", hexSum(files("26.1")), hexSum(files("25.0")), hexSum(old), s.URL)
		},
		"json": func(s *shop) string {
			return fmt.Sprintf(`{"files": [7, {"filename": "pip-26.1.tar.gz", "url": "x", "hashes": {"sha256": "%[1]s"}},
				{"filename": "pip-26.1-py3-none-any.whl", "url": "%[4]s/files/pip-26.1-py3-none-any.whl", "hashes": {"sha256": "%[1]s"}, "requires-python": ">=3.10", "yanked": false},
				{"filename": "pip-26.2-py3-none-any.whl", "url": "/files/pip-26.2-py3-none-any.whl", "hashes": {"sha256": "%[1]s"}, "yanked": "bad"},
				{"filename": "pip-26.3-py3-none-any.whl", "url": "/files/pip-26.3-py3-none-any.whl", "hashes": {}},
				{"filename": "pip-25.0-py3-none-any.whl", "url": "../../files/pip-25.0-py3-none-any.whl", "hashes": {"sha256": "%[2]s"}, "requires-python": ">=3.8", "yanked": false},
				{"filename": "pip-21.3.1-py3-none-any.whl", "url": "/files/pip-21.3.1-py3-none-any.whl", "hashes": {"sha256": "%[3]s"}, "requires-python": null}]}`,
				hexSum(files("26.1")), hexSum(files("25.0")), hexSum(old), s.URL)
		},
	} {
		t.Run(form, func(t *testing.T) {
			s, trees := newShop(t), newTrees(t)
			s.files["/simple/pip/"] = []byte(index(s))
			s.files["/files/pip-26.1-py3-none-any.whl"] = files("26.1")
			s.files["/files/pip-25.0-py3-none-any.whl"] = files("25.0")
			s.files["/files/pip-21.3.1-py3-none-any.whl"] = old
			client := s.client(t)
			for version, want := range map[string]string{
				"3.11.2": "26.1 /opt/pip/pip/__pip-runner__.py", "3.9.1": "25.0 /opt/pip/pip/__pip-runner__.py", "3.6.1": "21.3.1 /opt/pip/pip",
			} {
				got, release, err := PipFromIndex(t.Context(), client, trees, Interpreter{Runtime: python, Version: version})
				if err != nil {
					t.Fatalf("%s: %v", version, err)
				}
				if got.Version+" "+strings.Join(got.Args, " ") != want || got.Mount != "/opt/pip" || got.From != "PyPI package pip" {
					t.Errorf("%s: %+v", version, got)
				}
				release()
			}
			s.asked = nil
			_, release, err := PipFromIndex(t.Context(), client, trees, Interpreter{Runtime: python, Version: "3.11.2"})
			if err != nil || len(s.asked) != 0 {
				t.Fatalf("the second time: %v, asked for %v", err, s.asked)
			}
			release()
		})
	}
}

func TestPipFromIndexHostile(t *testing.T) {
	main := "pip/__main__.py="
	for name, c := range map[string]struct {
		wheel []byte
		words string
	}{
		"climbs":        {wheel(t, main, "../evil=x"), "leads out"},
		"absolute":      {wheel(t, main, "/etc/evil=x"), "leads out"},
		"link":          {wheel(t, main, "pip/x=->/etc"), "link or a device"},
		"another thing": {wheel(t, "x/__main__.py="), "no program"},
		"no zip":        {[]byte("text"), "cannot be unpacked"},
	} {
		t.Run(name, func(t *testing.T) {
			s, trees := newShop(t), newTrees(t)
			s.files["/f/pip-1.0-py3-none-any.whl"] = c.wheel
			s.files["/simple/pip/"] = []byte(`<a href="/f/pip-1.0-py3-none-any.whl#sha256=` + hexSum(c.wheel) + `">x</a>`)
			_, _, err := PipFromIndex(t.Context(), s.client(t), trees, Interpreter{Runtime: python, Version: "3.11.2"})
			wantUnavailable(t, err, c.words)
			if len(trees.kept) != 0 {
				t.Errorf("kept %v", trees.kept)
			}
		})
	}
	s := newShop(t)
	s.files["/f/pip-1.0-py3-none-any.whl"] = wheel(t, main)
	s.files["/simple/pip/"] = []byte(`<a href="/f/pip-1.0-py3-none-any.whl#sha256=` + strings.Repeat("0", 64) + `">x</a>`)
	_, _, err := PipFromIndex(t.Context(), s.client(t), newTrees(t), Interpreter{Runtime: python, Version: "3.11.2"})
	wantUnavailable(t, err, `PyPI package "pip" 1.0 was changed on its way`)
	s.files["/simple/pip/"] = []byte(`<html>sign in first</html>`)
	_, _, err = PipFromIndex(t.Context(), s.client(t), newTrees(t), Interpreter{Runtime: python, Version: "3.11.2"})
	wantUnavailable(t, err, "no version of pip", "3.11.2", "install pip")
}

// A second index is asked if the first has no pip.
func TestPipFromExtraIndex(t *testing.T) {
	s := newShop(t)
	s.files["/f/pip-1.0-py3-none-any.whl"] = wheel(t, "pip/__main__.py=")
	s.files["/extra/pip/"] = []byte(`<a href="/f/pip-1.0-py3-none-any.whl#sha256=` + hexSum(s.files["/f/pip-1.0-py3-none-any.whl"]) + `">x</a>`)
	client, err := registry.New(&registry.Options{Getenv: func(name string) string {
		return map[string]string{"PIP_INDEX_URL": s.URL + "/simple/", "PIP_EXTRA_INDEX_URL": s.URL + "/extra/"}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	got, release, err := PipFromIndex(t.Context(), client, newTrees(t), Interpreter{Runtime: python, Version: "3.11.2"})
	if err != nil || got.Version != "1.0" {
		t.Fatalf("%+v, %v", got, err)
	}
	release()
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(`<a href="../x/pip-1.0-py3-none-any.whl#sha256=00" data-requires-python="&gt;=3" data-yanked>x</a>`))
	f.Add([]byte(`{"files":[{"filename":"a","url":"b","hashes":{"sha256":"c"},"yanked":"x"}]}`))
	f.Add([]byte("<a <a '<a \"> <a href=>"))
	f.Fuzz(func(t *testing.T, page []byte) {
		for _, file := range indexFiles(page) {
			_ = file.yanked()
		}
		_, _ = versionIn("1.0.0", page)
		_, _ = npmManifest(page)
	})
}
