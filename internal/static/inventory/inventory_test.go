package inventory

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }

// lines formats the result in lines for comparison.
func lines(r *Result) []string { return strings.Split(strings.TrimSpace(tell(r)), "\n") }

// In its installation, the server is among its dependencies.
func TestInstalledElsewhere(t *testing.T) {
	source := fstest.MapFS{"package.json": file(`{"name": "@x/server", "version": "1.0.0", "dependencies": {"a": "^1"}, "devDependencies": {"d": "1"}}`)}
	installed := fstest.MapFS{
		"package.json":                         file(`{"dependencies": {"@x/server": "file:x.tgz"}}`),
		"node_modules/@x/server/package.json":  file(`{"name": "@x/server", "version": "1.0.0", "dependencies": {"a": "^1"}}`),
		"node_modules/a/package.json":          file(`{"name": "a", "version": "1.5.0", "dependencies": {"b": "1"}}`),
		"node_modules/b/package.json":          file(`{"name": "b", "version": "1.0.0"}`),
		"node_modules/other-server/index.html": file(""),
	}
	got := lines(read(t, source, &Options{Extra: []Tree{{Name: "installed", FS: installed}}}))
	want := []string{
		"server pkg:npm/%40x/server@1.0.0 installed needs a@1.5.0 d in package.json installed/node_modules/@x/server/package.json",
		"pkg:npm/a@1.5.0 installed needs b@1.0.0 in installed/node_modules/a/package.json",
		"pkg:npm/b@1.0.0 installed via a@1.5.0 in installed/node_modules/b/package.json",
		`pkg:npm/d dev wanted "1" in package.json`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPythonInstalledElsewhere(t *testing.T) {
	source := fstest.MapFS{"server/__init__.py": file("")}
	installed := fstest.MapFS{
		"my_server-1.0.dist-info/METADATA": file("Name: my.server\nVersion: 1.0\nRequires-Dist: a\nRequires-Dist: x; extra == 'cli'\n"),
		"a-1.dist-info/METADATA":           file("Name: a\nVersion: 1\n"),
		"x-1.dist-info/METADATA":           file("Name: x\nVersion: 1\n"),
		"pip-24.dist-info/METADATA":        file("Name: pip\nVersion: 24\n"),
	}
	got := lines(read(t, source, &Options{
		Extra: []Tree{{Name: "server", FS: installed}}, Self: mcpsf.Package{Ecosystem: mcpsf.EcosystemPyPI, Name: "My_Server", Version: "1.0"},
	}))
	want := []string{ // the name of the tree is already used
		"server pkg:pypi/my-server@1.0 installed needs a@1 x@1 in server+/my_server-1.0.dist-info/METADATA",
		"pkg:pypi/a@1 installed in server+/a-1.dist-info/METADATA",
		"pkg:pypi/pip@24 installed via ? in server+/pip-24.dist-info/METADATA",
		"pkg:pypi/x@1 installed in server+/x-1.dist-info/METADATA",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Locations of packages are those of the run; unknown ones are not reported.
func TestDirs(t *testing.T) {
	source := fstest.MapFS{
		"package.json":                file(`{"name": "server", "version": "1.0.0", "dependencies": {"a": "1", "b": "1"}}`),
		"node_modules/a/package.json": file(`{"name": "a", "version": "1.0.0"}`),
		"node_modules/a/lib/x.jar":    file(packed(t, map[string]string{"META-INF/maven/g/x/pom.properties": maven("g", "x", "1")})),
	}
	home := fstest.MapFS{
		"code/server/node_modules/a/package.json":                        file(`{"name": "a", "version": "1.0.0"}`),
		"code/server/node_modules/b":                                     {Data: []byte(".pnpm/b@1/node_modules/b"), Mode: fs.ModeSymlink | 0o777},
		"code/server/node_modules/.pnpm/b@1/node_modules/b/package.json": file(`{"name": "b", "version": "1.0.0"}`),
		"lib/site-packages/six-1.dist-info/METADATA":                     file("Name: six\nVersion: 1\n"),
		"lib/site-packages/six-1.dist-info/RECORD":                       file("six.py,,\n__pycache__/six.cpython-311.pyc,,\n../../bin/six,,\nsix-1.dist-info/METADATA,,\n"),
		"lib/site-packages/zope.interface-1.dist-info/METADATA":          file("Name: zope.interface\nVersion: 1\n"),
		"lib/site-packages/zope.interface-1.dist-info/RECORD":            file("zope/interface/__init__.py,,\nzope/interface/a/b.py,,\nzi/__init__.py,,\nzi/x/y.py,,\n"),
	}
	opts := &Options{At: "/home/dev/code/server", Extra: []Tree{{Name: "installed", FS: home, At: "/home/dev"}}}
	r := read(t, source, opts)
	got := map[string][]string{}
	for _, p := range r.Packages {
		got[p.Name] = p.Dirs
	}
	want := map[string][]string{
		"a":              {"/home/dev/code/server/node_modules/a"},
		"b":              {"/home/dev/code/server/node_modules/.pnpm/b@1/node_modules/b"},
		"g:x":            {"/home/dev/code/server/node_modules/a/lib/x.jar"},
		"six":            {"/home/dev/lib/site-packages/__pycache__/six.cpython-311.pyc", "/home/dev/lib/site-packages/six.py"},
		"zope-interface": {"/home/dev/lib/site-packages/zi", "/home/dev/lib/site-packages/zope/interface"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if b := find(r, "pkg:npm/b@1.0.0"); b.Via == nil || len(r.Notes) > 0 {
		t.Errorf("b is not found where it is installed: %+v, %q", b, r.Notes)
	}
	opts.At, opts.Extra[0].At = "", ""
	for _, p := range read(t, source, opts).Packages {
		if p.Dirs != nil {
			t.Errorf("%s is said to be at %q", p.PURL, p.Dirs)
		}
	}
}

// In an image the server is not at the top, and absolute links start at the
// image's top.
func TestImage(t *testing.T) {
	image := fstest.MapFS{
		"srv/app/package.json":                 file(`{"name": "server", "version": "1.0.0", "dependencies": {"a": "1"}}`),
		"srv/app/node_modules":                 {Data: []byte("/opt/modules"), Mode: fs.ModeSymlink | 0o777},
		"opt/modules":                          {Data: []byte("deps/node_modules"), Mode: fs.ModeSymlink | 0o777},
		"opt/deps/node_modules/a/package.json": file(`{"name": "a", "version": "1.0.0"}`),
		"package.json":                         file(`{"name": "decoy", "version": "1.0.0"}`),
	}
	r := read(t, image, &Options{Dir: "srv/app"})
	if r.Root.PURL != "pkg:npm/server@1.0.0" {
		t.Errorf("the server is %s", r.Root.PURL)
	}
	if a := find(r, "pkg:npm/a@1.0.0"); a.Via == nil || len(a.Via) > 0 || !a.Installed {
		t.Errorf("a is %+v, want it installed and asked for", a)
	}
}

// The test binary is itself a Go program.
func TestProgram(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	program := &fstest.MapFile{Data: data, Mode: 0o755}
	carried := fstest.MapFS{
		"package.json":                         file(`{"name": "server", "version": "1.0.0", "dependencies": {"tool": "1"}}`),
		"node_modules/tool/package.json":       file(`{"name": "tool", "version": "1.0.0"}`),
		"node_modules/tool/bin/linux_amd64":    program,
		"node_modules/tool/LICENSE":            file(strings.Repeat("not a program ", 30_000)),
		"node_modules/tool/bin/tool-1.2_linux": {Data: append([]byte("\x7fELF"), make([]byte, 300<<10)...)},
	}
	r := read(t, carried, nil)
	stdlib := find(r, "pkg:golang/stdlib@"+strings.TrimPrefix(runtime.Version(), "go"))
	want := []string{"pkg:npm/tool@1.0.0", "pkg:golang/github.com/mcpsf/mcpsf"}
	if diff := cmp.Diff(want, stdlib.Via); diff != "" || !stdlib.Installed {
		t.Errorf("the standard library came in another way (-want +got):\n%s", diff)
	}

	r = read(t, fstest.MapFS{"server": program}, nil)
	if r.Root.Name != "github.com/mcpsf/mcpsf" || len(r.Packages) != 1 || r.Packages[0].Via != nil {
		t.Errorf("the server is %q with %d packages", r.Root.Name, len(r.Packages))
	}
}

// packed makes an archive of the files.
func packed(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func maven(group, artifact, version string) string {
	return fmt.Sprintf("#comment\ngroupId=%s\nartifactId=%s\nversion=%s\n", group, artifact, version)
}

func TestArchives(t *testing.T) {
	lib := packed(t, map[string]string{"META-INF/maven/g/lib/pom.properties": maven("g", "lib", "2.0"), "META-INF/maven/g/shaded/pom.properties": maven("g", "shaded", "1.0")})
	named := packed(t, map[string]string{"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\r\nBundle-SymbolicName: org.other.named;singl\r\n eton:=true\r\n"})
	fat := packed(t, map[string]string{
		"META-INF/maven/com.example/server/pom.properties": maven("com.example", "server", "1.0"),
		"META-INF/maven/com.example/server/pom.xml": `<project><groupId>com.example</groupId><artifactId>server</artifactId><licenses><license><name>MIT</name></license></licenses>
			<dependencies><dependency><groupId>g</groupId><artifactId>lib</artifactId></dependency></dependencies></project>`,
		"BOOT-INF/lib/lib-2.0.jar": lib, "BOOT-INF/lib/named-3.1.jar": named, "BOOT-INF/lib/broken.jar": "PK",
	})
	r := read(t, fstest.MapFS{
		"pom.xml":           file(`<project><groupId>com.example</groupId><artifactId>server</artifactId><version>1.0</version></project>`),
		"target/server.jar": file(fat),
		"plain-1.jar":       file(packed(t, map[string]string{"a": ""})),
		"plain.jar":         {Data: []byte("plain-1.jar"), Mode: fs.ModeSymlink | 0o777},
		"outside.jar":       {Data: []byte("../outside.jar"), Mode: fs.ModeSymlink | 0o777},
	}, nil)
	var got []string
	for _, l := range lines(r) {
		got = append(got, regexpDigest(l))
	}
	want := []string{
		`server pkg:maven/com.example/server@1.0 installed licence "MIT" sha256:#(1) needs g/lib@2.0 in pom.xml target/server.jar`,
		"pkg:maven/g/lib@2.0 installed sha256:#(1) needs g/shaded@1.0 in target/server.jar!BOOT-INF/lib/lib-2.0.jar",
		"pkg:maven/g/shaded@1.0 installed via g/lib@2.0 in target/server.jar!BOOT-INF/lib/lib-2.0.jar",
		"pkg:maven/org.other/named@3.1 installed sha256:#(1) via ? in target/server.jar!BOOT-INF/lib/named-3.1.jar",
		"pkg:maven/plain@1 installed sha256:#(1) via ? in plain-1.jar",
		"note outside.jar: the archive cannot be read: its links lead nowhere",
		"note plain-1.jar: the archive does not say which package it is",
		"note target/server.jar!BOOT-INF/lib/broken.jar: the archive cannot be read: zip: not a valid zip file",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// regexpDigest masks digests, which change with the compression library.
func regexpDigest(s string) string {
	before, after, ok := strings.Cut(s, "sha256:")
	if !ok {
		return s
	}
	_, after, _ = strings.Cut(after, "(")
	return before + "sha256:#(" + after
}

// The result must not depend on the order of files or maps.
func TestDeterministic(t *testing.T) {
	fsys := fstest.MapFS{"package.json": file(`{"name": "server", "version": "1.0.0", "dependencies": {"p0": "1", "p1": "1", "p2": "1"}}`)}
	for i := range 60 {
		var needs []string
		for k := 1; k < 6; k++ {
			needs = append(needs, fmt.Sprintf(`"p%d": "1"`, (i*7+k*11)%60))
		}
		fsys[fmt.Sprintf("node_modules/p%d/package.json", i)] = file(fmt.Sprintf(`{"name": "p%d", "version": "1.0.0", "dependencies": {%s}}`, i, strings.Join(needs, ",")))
	}
	first := tell(read(t, fsys, nil))
	for range 10 {
		if diff := cmp.Diff(first, tell(read(t, fsys, nil))); diff != "" {
			t.Fatalf("(-first +again):\n%s", diff)
		}
	}
	if strings.Contains(first, "via ?") {
		t.Errorf("something was not reached:\n%s", first)
	}
}

// A chain longer than the reported maximum, with a cycle at its end.
func TestLongWay(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"lockfileVersion": 3, "packages": {"": {"name": "server", "version": "1.0.0", "dependencies": {"p0": "1"}}`)
	const length = 20_000
	for i := range length {
		fmt.Fprintf(&b, `,"node_modules/p%d":{"version":"1.0.0","dependencies":{"p%d":"1"}}`, i, (i+1)%length)
	}
	b.WriteString("}}")
	r := read(t, fstest.MapFS{"package-lock.json": file(b.String())}, nil)
	if len(r.Packages) != length || len(find(r, "pkg:npm/p64@1.0.0").Via) != 64 || find(r, "pkg:npm/p65@1.0.0").Via != nil {
		t.Errorf("%d packages, ways of %d and %d", len(r.Packages), len(find(r, "pkg:npm/p64@1.0.0").Via), len(find(r, "pkg:npm/p65@1.0.0").Via))
	}
	if want := []string{"19935 packages are more than 64 steps away; the way to them is left out"}; !slices.Equal(r.Notes, want) {
		t.Errorf("the notes are %q, want %q", r.Notes, want)
	}
}

// Names that have the same purl stay two packages.
func TestSamePURL(t *testing.T) {
	r := read(t, fstest.MapFS{"go.mod": file("module x\ngo 1.22\nrequire (\n\texample.com/Evil v1.0.0\n\texample.com/evil v1.0.0\n)\n")}, nil)
	var got []string
	for _, p := range r.Packages {
		got = append(got, p.Name+" "+p.PURL)
	}
	want := []string{"example.com/Evil pkg:golang/example.com/evil@v1.0.0", "example.com/evil pkg:golang/example.com/evil@v1.0.0?name=example.com%2Fevil"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTotals(t *testing.T) {
	r := read(t, fstest.MapFS{
		"package.json":                file(`{"dependencies": {"a": "1", "b": "^1"}, "devDependencies": {"c": "1.0.0"}}`),
		"node_modules/a/package.json": file(`{"name": "a", "version": "1.0.0", "dependencies": {"e": "1"}}`),
		"node_modules/e/package.json": file(`{"name": "e", "version": "1.0.0"}`),
		"readme.md":                   file(""),
	}, nil)
	want := Totals{Seen: 7, Files: 3, Bytes: 168, Packages: 4, Installed: 2, Direct: 3, Dev: 1, Unversioned: 1}
	if diff := cmp.Diff(want, r.Totals); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := Read(ctx, fstest.MapFS{"package.json": file("{}")}, nil); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("got %v, %v; want that it was cancelled", r, err)
	}
}
