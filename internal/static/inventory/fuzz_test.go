package inventory

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// fuzz reads one file with hostile contents beside plain ones, and checks the
// invariants of the result.
func fuzz(f *testing.F, beside fstest.MapFS, names ...string) {
	f.Helper()
	for i, name := range names {
		files, err := filepath.Glob("testdata/*/*/" + filepath.Base(name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, []byte(""))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(i, data)
		}
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		if i < 0 || i >= len(names) {
			return
		}
		fsys := fstest.MapFS{names[i]: &fstest.MapFile{Data: data, Mode: 0o644}}
		for name, at := range beside {
			if fsys[name] == nil {
				fsys[name] = at
			}
		}
		read(t, fsys, nil)
	})
}

func FuzzNPM(f *testing.F) {
	f.Add(0, []byte(`{"name":"x","dependencies":{"a":"npm:b@1"},"workspaces":[]}`))
	f.Add(1, []byte(`{"lockfileVersion":1,"dependencies":{"a":{"version":"npm:b@1","requires":{"c":"1"},"dependencies":{"c":{"version":"github:x/y"}}}}}`))
	f.Add(2, []byte("a@1, \"b@2\":\n  version \"1\"\n  dependencies:\n    \"c\" \"2\"\n"))
	f.Add(3, []byte("lockfileVersion: 5.4\ndependencies: {a: 1.0.0_x}\npackages:\n  /a/1.0.0_x: {resolution: {repo: x}}\n"))
	fuzz(f, fstest.MapFS{
		"package.json":                file(`{"name":"server","version":"1.0.0","dependencies":{"a":"1","chalk":"^4.1.2"}}`),
		"node_modules/a/package.json": file(`{"name":"a","version":"1.0.0"}`),
	}, "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "node_modules/a/package.json", "node_modules/.package-lock.json", "node_modules/.pnpm/lock.yaml")
}

func FuzzPython(f *testing.F) {
	f.Add(1, []byte("a[b]==1 ; extra == 'x' --hash=sha256:00\n-r requirements.txt\n-c c.txt\n# via a\n"))
	f.Add(7, []byte("[metadata]\nname = a\n[options]\ninstall_requires =\n  b\n[options.extras_require]\nx = c\n"))
	f.Add(8, []byte("Name: a\nVersion: 1\nRequires-Dist: b[c]>=1; extra == 'd'\nLicense: x\n y\nClassifier: License :: OSI Approved\n"))
	f.Add(9, []byte("[x]\na\n[y:z]\nb\n"))
	fuzz(f, fstest.MapFS{
		"pyproject.toml":                  file("[project]\nname = 'server'\ndependencies = ['a', 'httpx[http2]']\n"),
		"site/a.egg-info/PKG-INFO":        file("Name: a\nVersion: 1\n"),
		"site/b-1.dist-info/METADATA":     file("Name: b\nVersion: 1\nRequires-Dist: a[x]\n"),
		"constraints.txt":                 file("a==1\n"),
		"site/b/_vendor/v.egg-info":       file("Name: v\nVersion: 1\n"),
		"site/b-1.dist-info/RECORD":       file("b/x,,\n"),
		"site/a.egg-info/not-a-list.json": file(""),
	}, "pyproject.toml", "requirements.txt", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile", "Pipfile.lock", "setup.cfg", "site/b-1.dist-info/METADATA",
		"site/a.egg-info/requires.txt", "pylock.toml", "constraints.txt", "site/b-1.dist-info/RECORD")
}

func FuzzRest(f *testing.F) {
	f.Add(0, []byte("module x\nrequire a.b/c v1.0.0\nreplace a.b/c => ./d\n"))
	f.Add(1, []byte("a.b/d v1.0.0 h1:x\n"))
	f.Add(2, []byte("# a.b/c v1.0.0 => d v2\n## explicit\n"))
	f.Add(5, []byte("<project><artifactId>x</artifactId><parent/><properties><a>${a}</a></properties><dependencies><dependency><version>${a}</version></dependency></dependencies></project>"))
	f.Add(6, []byte("a:b:1=test\n"))
	f.Add(7, []byte("Package: a\nVersion: 1\nDepends: b | c, a\nProvides: d (= 1)\nSource: e (2)\n"))
	f.Add(8, []byte("P:a\nV:1\nD:so:b !c\np:so:b=1\n\n"))
	f.Add(9, []byte("ID=debian\nVERSION_ID=\"12\"\n"))
	f.Add(11, []byte("PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00\x2e\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	fuzz(f, fstest.MapFS{
		"go.mod": file("module x\ngo 1.16\n"), "Cargo.toml": file("[package]\nname = 'x'\n"), "lib/apk/db/installed": file("P:x\nV:1\n"),
	}, "go.mod", "go.sum", "vendor/modules.txt", "Cargo.lock", "Cargo.toml", "pom.xml", "gradle.lockfile", "var/lib/dpkg/status", "lib/apk/db/installed",
		"etc/os-release", "etc/apk/world", "x.jar")
}
