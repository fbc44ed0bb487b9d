package npm

import (
	"archive/tar"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

func sumOf(algorithm, text string) string {
	h := newHash(algorithm)
	h.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// server is a registry with the packages of a test.
type server struct {
	*httptest.Server

	mu sync.Mutex
	// documents and files are by path; a nil document exists and is broken.
	documents map[string]map[string]any
	files     map[string][]byte
	// answer, if set, may answer first.
	answer func(w http.ResponseWriter, r *http.Request) bool
	asked  []string
}

func newServer(t testing.TB) *server {
	t.Helper()
	s := &server{documents: map[string]map[string]any{}, files: map[string][]byte{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.EscapedPath())
	if s.answer != nil && s.answer(w, r) {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	switch document, file := s.documents[name], s.files[name]; {
	case document != nil:
		_ = json.NewEncoder(w).Encode(document)
	case file != nil:
		_, _ = w.Write(file)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// publish adds a version and returns the registry's description of it, for a
// test to change.
func (s *server) publish(name, version string, file []byte) map[string]any {
	d := s.documents[name]
	if d == nil {
		d = map[string]any{"name": name, "dist-tags": map[string]any{}, "versions": map[string]any{}}
		s.documents[name] = d
	}
	at := name + "/-/x-" + version + ".tgz"
	s.files[at] = file
	v := map[string]any{"name": name, "version": version, "dist": map[string]any{
		"tarball": s.URL + "/" + at, "integrity": "sha512-" + sumOf("sha512", string(file)),
	}}
	d["versions"].(map[string]any)[version] = v
	d["dist-tags"].(map[string]any)["latest"] = version
	return v
}

func (s *server) client(t testing.TB, more ...string) *registry.Client {
	t.Helper()
	env := map[string]string{
		"PIP_CONFIG_FILE": os.DevNull, "npm_config_globalconfig": filepath.Join(t.TempDir(), "none"), "npm_config_registry": s.URL,
	}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	c, err := registry.New(&registry.Options{Getenv: func(k string) string { return env[k] }})
	sourcetest.Must(t, err)
	t.Cleanup(c.Close)
	return c
}

// fetch resolves a target with a stage of its own.
func (s *server) fetch(t testing.TB, source string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	t.Helper()
	if opts.Registry == nil {
		opts.Registry = s.client(t)
	}
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	a, facts, err := resolve(t.Context(), mcpsf.Target{Source: source}, stage, &opts)
	beside, _ := filepath.Glob(filepath.Join(filepath.Dir(stage), "*", "*.tgz"))
	if spare, _ := filepath.Glob(filepath.Join(filepath.Dir(stage), "*", "spare")); err != nil && len(beside) > 0 || len(spare) > 0 {
		t.Errorf("beside the stage there is %q %q", beside, spare)
	}
	return a, facts, err
}

// packageOf packs a package; manifest is the rest of its package.json.
func packageOf(t testing.TB, name, version, manifest string, more ...sourcetest.TarItem) []byte {
	t.Helper()
	text := fmt.Sprintf(`{"name":%q,"version":%q%s}`, name, version, manifest)
	return sourcetest.Gzip(t, sourcetest.Tar(t, append([]sourcetest.TarItem{sourcetest.TarFile("package/package.json", text), sourcetest.TarFile("package/index.js", "1")}, more...)...))
}

func TestNPM(t *testing.T) {
	s := newServer(t)
	s.publish("@acme/demo", "1.0.0", packageOf(t, "@acme/demo", "1.0.0", ""))
	file := packageOf(t, "@acme/demo", "2.0.0", `,"description":"A demo","engines":{"node":">=18"},"bin":"index.js",
		"scripts":{"postinstall":"node \u001b[31mx.js","prepare":"tsc","test":"no"},"dependencies":{"dep":"1"}`, sourcetest.TarFile("package/binding.gyp", "{}"))
	v := s.publish("@acme/demo", "2.0.0", file)
	v["deprecated"], v["dependencies"] = "use\n\x1b[31manother", map[string]any{"dep": "1"}
	a, facts, err := s.fetch(t, "@acme/demo", kind.Options{})
	sourcetest.Must(t, err)
	want := &mcpsf.Artifact{
		Kind: "npm", Name: "@acme/demo", Version: "2.0.0", Digest: a.Digest, Files: 3, Bytes: a.Bytes, Dir: a.Dir,
		Runtime: mcpsf.RuntimeNode, Description: "A demo",
		Origin:  &mcpsf.Origin{URL: s.URL + "/@acme/demo/-/x-2.0.0.tgz", Pin: "sha512-" + sumOf("sha512", string(file))},
		Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM, Package: a.Install.Package, Needs: ">=18"},
		Notes:   []string{`its authors deprecate this version: "use [31manother"`},
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("artifact (-want +got):\n%s", diff)
	}
	wantFacts := []mcpsf.Fact{
		{Kind: "manifest.script", Path: "package.json", Text: "postinstall: node [31mx.js"},
		{Kind: "manifest.script", Path: "package.json", Text: "prepare: tsc"},
		{Kind: "manifest.script", Path: "binding.gyp", Text: "install: node-gyp rebuild"},
	}
	if diff := cmp.Diff(wantFacts, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	kept, err := os.ReadFile(a.Install.Package)
	sourcetest.Must(t, err)
	if string(kept) != string(file) || filepath.Base(a.Install.Package) != "acme-demo-2.0.0.tgz" {
		t.Errorf("the file %s has %d bytes", a.Install.Package, len(kept))
	}
	if got := slices.Sorted(maps.Keys(sourcetest.Listing(t, a.Dir))); !slices.Contains(got, "package.json") || slices.Contains(got, "package") {
		t.Errorf("the stage has %q", got)
	}
	if diff := cmp.Diff([]string{"/@acme%2fdemo", "/@acme/demo/-/x-2.0.0.tgz"}, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestNPMVersions(t *testing.T) {
	s := newServer(t)
	for _, version := range []string{"0.9.0", "1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0-beta.1", "3.0.0", "10.0.0"} {
		v := s.publish("demo", version, packageOf(t, "demo", version, ""))
		if version == "1.2.0" || version == "0.9.0" {
			v["deprecated"] = "old"
		}
	}
	d := s.documents["demo"]
	d["versions"].(map[string]any)["../../evil"] = d["versions"].(map[string]any)["1.0.0"]
	d["versions"].(map[string]any)["7.0.0"] = "no object"
	d["dist-tags"] = map[string]any{"latest": "2.0.0", "beta": "2.1.0-beta.1", "lost": "9.9.9", "evil": "../../evil", "odd": 7}
	for source, want := range map[string]string{
		"npm:demo": "2.0.0", "npm:demo@latest": "2.0.0", "npm:demo@beta": "2.1.0-beta.1", "npm:demo@3.0.0": "3.0.0",
		"npm:demo@*": "2.0.0", "npm:demo@>=2": "2.0.0", "npm:demo@>2": "10.0.0", "npm:demo@^1": "1.1.0", "npm:demo@~1.2": "1.2.0",
		"npm:demo@<1": "0.9.0", "npm:demo@^2.1.0-beta": "2.1.0-beta.1", "npm:demo@1 || 3": "3.0.0", "npm:demo@x": "2.0.0", "npm:demo@1.0 - 1.1": "1.1.0",
	} {
		a, _, err := s.fetch(t, source, kind.Options{})
		if err != nil || a.Version != want {
			t.Errorf("%s: %+v, %v", source, a, err)
		}
	}
	for source, texts := range map[string][]string{
		"npm:demo@1.0.5":  {"no version 1.0.5", "0.9.0, 1.0.0, 1.1.0, 1.2.0"},
		"npm:demo@99.0.0": {"3.0.0", "10.0.0"},
		"npm:demo@0.0.1":  {"0.9.0, 1.0.0"},
		"npm:demo@^4":     {`no version that fits "^4"`, "10.0.0"},
		"npm:demo@gamma":  {`the tag "gamma"`},
		"npm:demo@lost":   {`the tag "lost"`},
		"npm:demo@evil":   {`the tag "evil"`},
		"npm:demo@odd":    {`the tag "odd"`},
		"npm:demo@7.0.0":  {"without a digest"},
		"npm:gone":        {`npm package "gone" does not exist`},
		"npm:../x":        {"is no npm package"},
	} {
		_, _, err := s.fetch(t, source, kind.Options{})
		sourcetest.WantUsage(t, err, texts...)
	}
}

func TestNPMBadPackages(t *testing.T) {
	dist := func(v map[string]any, key string, value any) { v["dist"].(map[string]any)[key] = value }
	for name, tt := range map[string]struct {
		file []byte
		edit func(s *server, v map[string]any)
		want string
	}{
		"digest": {edit: func(_ *server, v map[string]any) { dist(v, "integrity", "sha512-"+sumOf("sha512", "other")) }, want: "not what 127.0.0.1"},
		"shasum": {edit: func(_ *server, v map[string]any) {
			dist(v, "integrity", "")
			dist(v, "shasum", strings.Repeat("0", 40))
		}, want: "its sha1 is another"},
		"no digest":    {edit: func(_ *server, v map[string]any) { dist(v, "integrity", "") }, want: "without a digest"},
		"no tarball":   {edit: func(_ *server, v map[string]any) { dist(v, "tarball", "") }, want: "no address of the web"},
		"file tarball": {edit: func(_ *server, v map[string]any) { dist(v, "tarball", "file:///etc/passwd") }, want: "no address of the web"},
		"odd tarball":  {edit: func(_ *server, v map[string]any) { dist(v, "tarball", []int{1}) }, want: "no address of the web"},
		"metadata":     {edit: func(_ *server, v map[string]any) { dist(v, "tarball", "http://169.254.169.254/x.tgz") }, want: "address of this machine"},
		"tarball gone": {edit: func(_ *server, v map[string]any) { dist(v, "tarball", "/nowhere.tgz") }, want: `npm package "demo@1.0.0" does not exist`},
		"other name":   {edit: func(s *server, _ map[string]any) { s.documents["demo"]["name"] = "\x1b[31mother" }, want: "answers with npm package"},
		"unpublished":  {edit: func(s *server, _ map[string]any) { s.documents["demo"] = map[string]any{"name": "demo"} }, want: "unpublished"},
		"many dependencies": {edit: func(_ *server, v map[string]any) {
			all := map[string]any{}
			for i := range maxDependencies + 1 {
				all[fmt.Sprint("d", i)] = "1"
			}
			v["dependencies"] = all
		}, want: "more than 2000 packages"},
		"no archive":   {file: []byte("hello"), want: "damaged or cut short"},
		"zip":          {file: sourcetest.Zip(t, sourcetest.ZipItem{Name: "package/package.json", Text: "{}"}), want: "damaged or cut short"},
		"cut":          {file: packageOf(t, "demo", "1.0.0", "")[:100], want: "damaged or cut short"},
		"empty":        {file: sourcetest.Gzip(t, sourcetest.Tar(t)), want: "no package.json"},
		"no manifest":  {file: sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("package/index.js", "1"))), want: "no package.json"},
		"bad manifest": {file: sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("package/package.json", "[]"))), want: "no package.json"},
		"bomb":         {file: sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("package/package.json", "{}"), sourcetest.TarFile("package/x", strings.Repeat("\x00", 32<<20)))), want: "made to fill the disk"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			if tt.file == nil {
				tt.file = packageOf(t, "demo", "1.0.0", "")
			}
			v := s.publish("demo", "1.0.0", tt.file)
			if tt.edit != nil {
				tt.edit(s, v)
			}
			cache := sourcetest.NewCache(t)
			_, _, err := s.fetch(t, "npm:demo", kind.Options{Cache: cache})
			sourcetest.WantUsage(t, err, tt.want)
			if len(cache.Notes) > 0 {
				t.Errorf("the cache keeps %v", slices.Collect(maps.Keys(cache.Notes)))
			}
		})
	}
}

func TestNPMHostileEntries(t *testing.T) {
	s := newServer(t)
	s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", "",
		sourcetest.TarFile("elsewhere/lib.js", "npm puts it beside index.js"), sourcetest.TarFile("loose.js", "npm leaves it out"),
		sourcetest.TarFile("package/../../up", "x"), sourcetest.TarFile("/abs", "x"), sourcetest.TarOther("package/link", tar.TypeSymlink, "../../etc"),
		sourcetest.TarOther("package/hard", tar.TypeLink, "package/index.js"), sourcetest.TarOther("package/hardout", tar.TypeLink, "../../etc/passwd"),
		sourcetest.TarOther("package/dev", tar.TypeChar, ""), sourcetest.TarFile("package/INDEX.js", "case"), sourcetest.TarFile("package/index.js", "again")))
	a, facts, err := s.fetch(t, "npm:demo", kind.Options{})
	sourcetest.Must(t, err)
	var refused []string
	for _, f := range facts {
		refused = append(refused, f.Kind+" "+f.Path)
	}
	slices.Sort(refused)
	want := []string{
		"archive.refused /abs", "archive.refused INDEX.js", "archive.refused dev", "archive.refused hardout",
		"archive.refused index.js", "archive.refused link", "archive.refused package/../../up",
	}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	got := slices.Sorted(maps.Keys(sourcetest.Listing(t, a.Dir)))
	if diff := cmp.Diff([]string{"hard", "index.js", "lib.js", "package.json"}, got); diff != "" {
		t.Errorf("stage (-want +got):\n%s", diff)
	}
}

func TestNPMPlainTar(t *testing.T) {
	s := newServer(t)
	s.publish("demo", "1.0.0", sourcetest.Tar(t, sourcetest.TarFile("any/package.json", `{"name":"demo","version":"1.0.0"}`)))
	a, facts, err := s.fetch(t, "npm:demo", kind.Options{})
	sourcetest.Must(t, err)
	if a.Files != 1 || len(facts) > 0 {
		t.Errorf("%+v %v", a, facts)
	}
}

// TestNPMConfusion: the registry's page describes another package than the
// file.
func TestNPMConfusion(t *testing.T) {
	s := newServer(t)
	v := s.publish("demo", "1.0.0", packageOf(t, "other", "9.9.9", `,"dependencies":{"shown":"1","hidden":"1","maybe":"1"},"optionalDependencies":{"maybe":"1"}`))
	v["dependencies"] = map[string]any{"shown": "1"}
	a, facts, err := s.fetch(t, "npm:demo", kind.Options{})
	sourcetest.Must(t, err)
	if a.Name != "demo" || a.Version != "1.0.0" {
		t.Errorf("artifact is %s %s", a.Name, a.Version)
	}
	var texts []string
	for _, f := range facts {
		texts = append(texts, f.Kind+" "+f.Text)
	}
	if diff := cmp.Diff([]string{
		`manifest.confusion the registry calls it "demo", and its package.json "other"`,
		`manifest.confusion the registry calls it version "1.0.0", and its package.json "9.9.9"`,
		`manifest.confusion it depends on "hidden", which the registry does not show`,
	}, texts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestNPMStatus(t *testing.T) {
	for _, tt := range []struct {
		status int
		code   mcpsf.Code
		want   string
	}{
		{401, mcpsf.CodeUsage, "credentials"}, {403, mcpsf.CodeUsage, "credentials"}, {404, mcpsf.CodeUsage, "does not exist"}, {500, mcpsf.CodeUnavailable, "out of order"},
	} {
		s := newServer(t)
		s.answer = func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(tt.status)
			return true
		}
		_, _, err := s.fetch(t, "npm:demo", kind.Options{})
		if mcpsf.ErrorCode(err) != tt.code || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `npm package "demo"`) {
			t.Errorf("%d: error is %v", tt.status, err)
		}
	}
}

func TestNPMTruncated(t *testing.T) {
	s := newServer(t)
	s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", ""))
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ".tgz") {
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write([]byte("x"))
			return true
		}
		return false
	}
	_, _, err := s.fetch(t, "npm:demo", kind.Options{})
	if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("error is %v", err)
	}
}

func TestNPMTooLarge(t *testing.T) {
	s := newServer(t)
	s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", ""))
	_, _, err := s.fetch(t, "npm:demo", kind.Options{Limits: staging.Limits{MaxBytes: 20}})
	if err == nil || !strings.Contains(err.Error(), "too much") {
		t.Errorf("error is %v", err)
	}
}

// TestNPMElsewhere: a file on another host is fetched without credentials, and
// a file on the mirrored host is fetched from the mirror.
func TestNPMElsewhere(t *testing.T) {
	file := packageOf(t, "demo", "1.0.0", "")
	for name, mirrored := range map[string]bool{"other host": false, "mirror": true} {
		var auth []string
		record := func(r *http.Request) {
			auth = append(auth, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		}
		files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			record(r)
			_, _ = w.Write(file)
		}))
		t.Cleanup(files.Close)
		s := newServer(t)
		s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
			record(r)
			return false
		}
		v := s.publish("demo", "1.0.0", file)
		at, want := files.URL+"/f.tgz", []string{"tok", ""}
		if mirrored {
			at, want = "https://registry.npmjs.org/demo/-/x-1.0.0.tgz", []string{"tok", "tok"}
		}
		v["dist"].(map[string]any)["tarball"] = at
		c := s.client(t, "npm_config_"+strings.TrimPrefix(s.URL, "http:")+"/:_authToken", "tok")
		a, _, err := s.fetch(t, "npm:demo", kind.Options{Registry: c})
		sourcetest.Must(t, err)
		if diff := cmp.Diff(want, auth); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if mirrored && !strings.HasPrefix(a.Origin.URL, s.URL) {
			t.Errorf("%s: origin is %s", name, a.Origin.URL)
		}
	}
}

func TestNPMScope(t *testing.T) {
	public, private := newServer(t), newServer(t)
	private.publish("@acme/demo", "1.0.0", packageOf(t, "@acme/demo", "1.0.0", ""))
	c := public.client(t, "npm_config_@acme:registry", private.URL)
	_, _, err := public.fetch(t, "@acme/demo", kind.Options{Registry: c})
	sourcetest.Must(t, err)
	if len(public.asked) > 0 {
		t.Errorf("the public registry was asked for %q", public.asked)
	}
}

// TestNPMOffline: the second run of an exact version sends no request, and the
// newest version is remembered for when the registry is unreachable.
func TestNPMOffline(t *testing.T) {
	s := newServer(t)
	v := s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", `,"dependencies":{"dep":"1"}`))
	v["dependencies"], v["deprecated"] = map[string]any{"dep": "1"}, "old"
	opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: s.client(t)}
	first, _, err := s.fetch(t, "npm:demo@^1", opts)
	sourcetest.Must(t, err)
	again, _, err := s.fetch(t, "npm:demo@^1", opts)
	sourcetest.Must(t, err)
	if first.Origin.Offline || !again.Origin.Offline || len(s.asked) != 3 {
		t.Errorf("offline is %t, then %t; asked for %q", first.Origin.Offline, again.Origin.Offline, s.asked)
	}
	s.Close()
	for source, notes := range map[string]int{"npm:demo@1.0.0": 1, "npm:demo@^1": 2} {
		a, facts, err := s.fetch(t, source, opts)
		sourcetest.Must(t, err)
		if len(a.Notes) != notes || len(facts) > 0 {
			t.Errorf("%s: notes are %q, facts %v", source, a.Notes, facts)
		}
		if notes == 2 && !strings.Contains(a.Notes[0], `1.0.0 is what "^1" was`) {
			t.Errorf("note is %q", a.Notes[0])
		}
		a.Notes, a.Origin.Offline = first.Notes, false
		a.Dir, a.Install = first.Dir, first.Install
		if diff := cmp.Diff(first, a); diff != "" {
			t.Errorf("%s: artifacts differ (-first +second):\n%s", source, diff)
		}
	}
	for _, source := range []string{"npm:demo@latest", "npm:demo@1.0.1", "npm:other"} {
		if _, _, err := s.fetch(t, source, opts); mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
			t.Errorf("%s: error is %v", source, err)
		}
	}
}

// TestNPMRepublished: what the registry states today counts.
func TestNPMRepublished(t *testing.T) {
	s := newServer(t)
	s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", ""))
	opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: s.client(t)}
	first, _, err := s.fetch(t, "npm:demo", opts)
	sourcetest.Must(t, err)
	s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", `,"x":1`))
	second, _, err := s.fetch(t, "npm:demo", opts)
	sourcetest.Must(t, err)
	if first.Digest == second.Digest || second.Origin.Offline {
		t.Error("the old file was taken")
	}
}

// TestNPMBadCache: the cache is trusted as little as the network.
func TestNPMBadCache(t *testing.T) {
	s := newServer(t)
	s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", ""))
	cache := sourcetest.NewCache(t)
	opts := kind.Options{Cache: cache, Registry: s.client(t)}
	_, _, err := s.fetch(t, "npm:demo", opts)
	sourcetest.Must(t, err)
	for key := range cache.Notes {
		sourcetest.Must(t, os.Remove(cache.Path(key)))
		sourcetest.Must(t, os.WriteFile(cache.Path(key), packageOf(t, "demo", "1.0.0", `,"evil":1`), 0o600))
	}
	a, _, err := s.fetch(t, "npm:demo", opts)
	sourcetest.Must(t, err)
	if a.Origin.Offline {
		t.Error("the changed file was taken")
	}
	cache.Full = true
	s.publish("demo", "2.0.0", packageOf(t, "demo", "2.0.0", ""))
	a, _, err = s.fetch(t, "npm:demo", opts)
	sourcetest.Must(t, err)
	if _, err := os.Stat(a.Install.Package); err != nil {
		t.Error(err)
	}
}

func TestNPMWithoutRegistry(t *testing.T) {
	_, _, err := resolve(t.Context(), mcpsf.Target{Source: "npm:demo"}, t.TempDir(), nil)
	sourcetest.WantUsage(t, err, "cannot be downloaded here")
}

func TestNPMCancelled(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.answer = func(http.ResponseWriter, *http.Request) bool {
		cancel()
		return false
	}
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	if _, _, err := resolve(ctx, mcpsf.Target{Source: "npm:x"}, stage, &kind.Options{Registry: s.client(t)}); err == nil || mcpsf.ErrorCode(err) != mcpsf.CodeInternal {
		t.Errorf("error is %v", err)
	}
}

// FuzzPackument: whatever a registry answers, a version is chosen or refused
// with one line.
func FuzzPackument(f *testing.F) {
	f.Add([]byte(`{"name":"x","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"dist":{"tarball":"https://x.test/x","shasum":"00"}},"2.0.0":[]}}`), "^1")
	f.Add([]byte(`{"dist-tags":{"latest":7},"versions":{"1.0.0-\u001b":{},"99999999999999999999.0.0":null}}`), "latest")
	f.Fuzz(func(t *testing.T, data []byte, want string) {
		var d packument
		spec, err := parseSpec("npm:x@" + want)
		if err != nil || json.Unmarshal(data, &d) != nil {
			return
		}
		r, err := d.choose(spec)
		if err != nil {
			sourcetest.WantUsage(t, err)
			return
		}
		if !exactForm.MatchString(r.version) {
			t.Errorf("version is %q", r.version)
		}
		parseIntegrity(r.integrity, r.shasum)
	})
}

// TestNPMLive uses the registry that this machine is configured for.
func TestNPMLive(t *testing.T) {
	c, err := registry.New(&registry.Options{Getenv: os.Getenv, Home: os.Getenv("HOME")})
	sourcetest.Must(t, err)
	t.Cleanup(c.Close)
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	a, _, err := resolve(t.Context(), mcpsf.Target{Source: "@modelcontextprotocol/server-everything"}, stage, &kind.Options{Registry: c})
	if mcpsf.ErrorCode(err) == mcpsf.CodeUnavailable || err != nil && strings.Contains(err.Error(), "status 403") {
		t.Skipf("the registry cannot be reached: %v", err)
	}
	sourcetest.Must(t, err)
	if a.Version == "" || a.Description == "" || !strings.HasPrefix(a.Origin.Pin, "sha512-") || a.Files < 2 {
		t.Errorf("artifact is %+v", a)
	}
}
