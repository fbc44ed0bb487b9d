package pypi

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// upload is one file of the test's index.
type upload struct {
	name     string
	data     []byte
	requires string
	yanked   *string
	hash     string // as stated; "" is the true sha256
	at       string // another URL than the index's own
	serve    []byte // what is sent instead
	short    bool   // the body ends before its length
	uploaded string // the date that the page shows
	attested any    // the provenance that the page shows; nil shows none
}

// index is a Python index that the test serves, as HTML or as JSON.
type index struct {
	*httptest.Server

	mu    sync.Mutex
	files map[string][]upload // by project
	json  bool
	// answer, if set, is tried first and reports whether it has answered.
	answer func(w http.ResponseWriter, r *http.Request) bool
	asked  []string
}

func newIndex(t testing.TB, files map[string][]upload) *index {
	t.Helper()
	x := &index{files: files}
	x.Server = httptest.NewServer(http.HandlerFunc(x.serve))
	t.Cleanup(x.Close)
	return x
}

func (x *index) serve(w http.ResponseWriter, r *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = append(x.asked, r.URL.Path)
	if x.answer != nil && x.answer(w, r) {
		return
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/files/"); ok {
		x.serveFile(w, name)
		return
	}
	project, ok := strings.CutPrefix(r.URL.Path, "/simple/")
	files, known := x.files[strings.TrimSuffix(project, "/")]
	switch {
	case !ok || !known:
		http.NotFound(w, r)
	case x.json && strings.Contains(r.Header.Get("Accept"), simpleJSON):
		x.serveJSON(w, files)
	default:
		x.serveHTML(w, files)
	}
}

func (x *index) serveFile(w http.ResponseWriter, name string) {
	for _, files := range x.files {
		for _, f := range files {
			if f.name != name {
				continue
			}
			data := f.data
			if f.serve != nil {
				data = f.serve
			}
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			if f.short {
				data = data[:len(data)/2]
			}
			_, _ = w.Write(data)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

func (f upload) stated() string {
	if f.hash == "" {
		return fmt.Sprintf("sha256=%x", sha256.Sum256(f.data))
	}
	return f.hash
}

func (f upload) address() string {
	if f.at != "" {
		return f.at
	}
	return "../../files/" + f.name
}

func (x *index) serveHTML(w http.ResponseWriter, files []upload) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!DOCTYPE html><html><body><h1>Links</h1>\n")
	for _, f := range files {
		fmt.Fprintf(w, `<a href="%s#%s"`, html.EscapeString(f.address()), f.stated())
		if f.requires != "" {
			fmt.Fprintf(w, ` data-requires-python="%s"`, html.EscapeString(f.requires))
		}
		if f.yanked != nil {
			fmt.Fprintf(w, ` data-yanked="%s"`, html.EscapeString(*f.yanked))
		}
		if at, ok := f.attested.(string); ok {
			fmt.Fprintf(w, ` data-provenance="%s"`, html.EscapeString(at))
		}
		if f.uploaded != "" {
			fmt.Fprintf(w, ` data-upload-time="%s"`, html.EscapeString(f.uploaded))
		}
		fmt.Fprintf(w, ">%s</a><br/>\n", f.name)
	}
}

func (x *index) serveJSON(w http.ResponseWriter, files []upload) {
	w.Header().Set("Content-Type", simpleJSON)
	list := []map[string]any{}
	for _, f := range files {
		hashes := map[string]string{}
		if name, sum, ok := strings.Cut(f.stated(), "="); ok {
			hashes[name] = sum
		}
		entry := map[string]any{"filename": f.name, "url": f.address(), "hashes": hashes, "requires-python": nil, "yanked": false}
		if f.requires != "" {
			entry["requires-python"] = f.requires
		}
		if f.yanked != nil {
			entry["yanked"] = *f.yanked
		}
		if f.uploaded != "" {
			entry["upload-time"] = f.uploaded
		}
		if f.attested != nil {
			entry["provenance"] = f.attested
		}
		list = append(list, entry)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"meta": map[string]string{"api-version": "1.1"}, "name": "x", "files": list})
}

// client has settings that name only the indexes.
func client(t testing.TB, indexes ...string) *registry.Client {
	t.Helper()
	env := map[string]string{"PIP_CONFIG_FILE": os.DevNull, "PIP_INDEX_URL": indexes[0], "PIP_EXTRA_INDEX_URL": strings.Join(indexes[1:], " ")}
	c, err := registry.New(&registry.Options{Getenv: func(k string) string { return env[k] }})
	sourcetest.Must(t, err)
	t.Cleanup(c.Close)
	return c
}

// fetched resolves a target of the index with a stage of its own.
func fetched(t testing.TB, x *index, source string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	t.Helper()
	if opts.Registry == nil {
		opts.Registry = client(t, x.URL+"/simple/")
	}
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	a, facts, err := resolve(t.Context(), mcpsf.Target{Source: source}, stage, &opts)
	if err != nil {
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(stage), "*"))
		if len(beside) != 1 {
			t.Errorf("after an error there is %q", beside)
		}
	}
	return a, facts, err
}

// wheel makes a wheel of a server whose program is "demo".
func wheel(t testing.TB, version string, more ...sourcetest.ZipItem) []byte {
	t.Helper()
	info := "demo_server-" + version + ".dist-info/"
	return sourcetest.Zip(t, append([]sourcetest.ZipItem{
		{Name: "demo_server/__init__.py", Text: "def main(): pass\n"},
		{Name: info + "METADATA", Text: "Metadata-Version: 2.1\nName: demo-server\nVersion: " + version + "\nSummary: Tells the time\n"},
		{Name: info + "entry_points.txt", Text: "[console_scripts]\ndemo-server = demo_server:main\n"},
	}, more...)...)
}

func sdist(t testing.TB, version string, more ...sourcetest.TarItem) []byte {
	t.Helper()
	top := "demo-server-" + version + "/"
	items := []sourcetest.TarItem{
		sourcetest.TarFile(top+"PKG-INFO", "Name: demo-server\n"),
		sourcetest.TarFile(top+"pyproject.toml", "[build-system]\nrequires = [\"hatchling\"]\nbuild-backend = \"hatchling.build\"\n[project]\nname = \"demo-server\"\n[project.scripts]\ndemo-server = \"demo_server:main\"\n"),
		sourcetest.TarFile(top+"src/demo_server/__init__.py", "def main(): pass\n"),
	}
	for _, i := range more {
		i.Name = top + i.Name
		items = append(items, i)
	}
	return sourcetest.Gzip(t, sourcetest.Tar(t, items...))
}

func TestPyPI(t *testing.T) {
	w1, w2, s2 := wheel(t, "1.0"), wheel(t, "2.0"), sdist(t, "2.0")
	x := newIndex(t, map[string][]upload{"demo-server": {
		{name: "demo_server-1.0-py3-none-any.whl", data: w1},
		{name: "demo-server-2.0.tar.gz", data: s2, requires: ">=3.8"},
		{name: "demo_server-2.0-py3-none-any.whl", data: w2, requires: ">=3.8"},
		{name: "demo_server-3.0rc1-py3-none-any.whl", data: wheel(t, "3.0rc1")},
		{name: "other-9.0-py3-none-any.whl", data: w2},
	}})
	for _, asJSON := range []bool{false, true} {
		for _, test := range []struct {
			source, file, version, note string
		}{
			{"pypi:demo-server", "demo_server-2.0-py3-none-any.whl", "2.0", "3.0rc1: it is a pre-release"},
			{"pypi:Demo_Server@latest", "demo_server-2.0-py3-none-any.whl", "2.0", "pre-release"},
			{"pypi:demo.server@1.0", "demo_server-1.0-py3-none-any.whl", "1.0", ""},
			{"pypi:demo-server==1.0.0", "demo_server-1.0-py3-none-any.whl", "1.0", ""},
			{"pypi:demo-server<2", "demo_server-1.0-py3-none-any.whl", "1.0", ""},
			{"pypi:demo-server >=1, <3", "demo_server-2.0-py3-none-any.whl", "2.0", ""},
			{"pypi:demo-server>=3.0rc1", "demo_server-3.0rc1-py3-none-any.whl", "3.0rc1", ""},
			{"pypi:demo-server>2", "demo_server-3.0rc1-py3-none-any.whl", "3.0rc1", "nothing else fits"},
		} {
			t.Run(fmt.Sprint(test.source, " ", asJSON), func(t *testing.T) {
				x.mu.Lock()
				x.json = asJSON
				x.mu.Unlock()
				a, facts, err := fetched(t, x, test.source, kind.Options{Python: "3.11.2"})
				sourcetest.Must(t, err)
				if filepath.Base(a.Install.Package) != test.file || a.Version != test.version || a.Name != "demo-server" || a.Kind != "pypi" {
					t.Errorf("got %s: %+v", a.Install.Package, a)
				}
				if got := strings.Join(a.Notes, "\n"); !strings.Contains(got, test.note) || (got == "") != (test.note == "") {
					t.Errorf("notes are %q, want %q", got, test.note)
				}
				if len(facts) != 0 {
					t.Errorf("facts are %v", facts)
				}
			})
		}
	}
}

func TestPyPIArtifact(t *testing.T) {
	data := wheel(t, "2.0")
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: data, requires: ">=3.8"}}})
	var last [2]int64
	a, _, err := fetched(t, x, "pypi:demo-server[CLI,extra_one]", kind.Options{Progress: func(done, total int64) { last = [2]int64{done, total} }})
	sourcetest.Must(t, err)
	sum := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	kept, err := os.ReadFile(a.Install.Package)
	sourcetest.Must(t, err)
	if !bytes.Equal(kept, data) || filepath.Dir(filepath.Dir(a.Install.Package)) != filepath.Dir(a.Dir) {
		t.Errorf("the package is at %s", a.Install.Package)
	}
	want := &mcpsf.Artifact{
		Kind: "pypi", Name: "demo-server", Version: "2.0", Digest: a.Digest, Files: 3, Bytes: a.Bytes, Dir: a.Dir,
		Runtime:     mcpsf.RuntimePython,
		Origin:      &mcpsf.Origin{URL: x.URL + "/files/demo_server-2.0-py3-none-any.whl", Pin: sum},
		Install:     &mcpsf.Install{Manager: mcpsf.ManagerPip, Package: a.Install.Package, Extras: []string{"cli", "extra-one"}, Needs: ">=3.8"},
		Description: "Tells the time",
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("artifact differs (-want +got):\n%s", diff)
	}
	if last != [2]int64{int64(len(data)), int64(len(data))} {
		t.Errorf("progress ended with %v", last)
	}
	if !strings.HasPrefix(a.Digest, "sha256:") || a.Bytes == 0 {
		t.Errorf("digest %s, %d bytes", a.Digest, a.Bytes)
	}
}

// TestPyPIOfMetadata: a package can consist of dependencies only.
func TestPyPIOfMetadata(t *testing.T) {
	data := sourcetest.Zip(t, sourcetest.ZipItem{Name: "demo_server-2.0.dist-info/METADATA", Text: "Name: demo-server\nSummary: All of it\n"})
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: data}}})
	a, _, err := fetched(t, x, "pypi:demo-server", kind.Options{})
	sourcetest.Must(t, err)
	if a.Description != "All of it" || a.Runtime != mcpsf.RuntimePython || a.Version != "2.0" || a.Install == nil {
		t.Errorf("artifact %+v", a)
	}
}

func TestPyPIRefuses(t *testing.T) {
	w := wheel(t, "2.0")
	const anyWheel = "demo_server-2.0-py3-none-any.whl"
	for _, test := range []struct {
		name, source string
		files        []upload
		texts        []string
	}{
		{name: "unknown package", source: "pypi:nothing", texts: []string{"no Python package", `"nothing"`, "check the name"}},
		{name: "no files", source: "pypi:demo-server", files: []upload{{name: "demo-server-2.0.exe", data: w}}, texts: []string{"no files that could be installed"}},
		{name: "unknown version", source: "pypi:demo-server@9", files: []upload{
			{name: "demo-server-1.tar.gz", data: w}, {name: "demo-server-2.tar.gz", data: w}, {name: "demo-server-2.1.tar.gz", data: w}, {name: "demo-server-2.2.tar.gz", data: w},
			{name: "demo-server-3.tar.gz", data: w}, {name: "demo-server-4.tar.gz", data: w},
		}, texts: []string{"no version 9;", "2, 2.1, 2.2, 3, 4", "the newest is 4"}},
		{name: "unknown range", source: "pypi:demo-server>=9,<10", files: []upload{{name: anyWheel, data: w}}, texts: []string{"<10,>=9", "newest is 2.0"}},
		{name: "newer Python", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, requires: ">=3.13"}}, texts: []string{"needs Python >=3.13", "this machine has 3.11.2"}},
		{name: "older Python, pinned", source: "pypi:demo-server@2.0", files: []upload{{name: anyWheel, data: w, requires: "<3"}}, texts: []string{"needs Python <3"}},
		{name: "other platform", source: "pypi:demo-server", files: []upload{{name: "demo_server-2.0-cp311-cp311-win_amd64.whl", data: w}}, texts: []string{"no wheel for this platform and no source", "win_amd64"}},
		{name: "yanked", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, yanked: new("leaks\x1b[2J keys")}}, texts: []string{"withdrawn", "leaks", "pypi:demo-server@2.0"}},
		{name: "no digest", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, hash: "x"}}, texts: []string{"no sha256"}},
		{name: "weak digest", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, hash: fmt.Sprintf("md5=%x", md5.Sum(w))}}, texts: []string{"no sha256"}},
		{name: "short digest", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, hash: "sha256=00"}}, texts: []string{"no sha256"}},
		{name: "other contents", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, serve: wheel(t, "2.1")}}, texts: []string{"not what", "sha256 is", "do not use it"}},
		{name: "other contents, sha512", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, hash: fmt.Sprintf("sha512=%x", sha512.Sum512(nil))}}, texts: []string{"sha512 is"}},
		{name: "missing file", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: w, at: "../../files/gone/" + anyWheel}}, texts: []string{"does not exist"}},
		{name: "no archive", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: []byte("not a zip")}}, texts: []string{"damaged"}},
		{name: "empty archive", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: sourcetest.Zip(t)}}, texts: []string{"no files"}},
		{name: "traversal alone", source: "pypi:demo-server", files: []upload{{name: anyWheel, data: sourcetest.Zip(t, sourcetest.ZipItem{Name: "../../pwn", Text: "x"})}}, texts: []string{"no files", "upwards"}},
		{name: "hostile name", source: "pypi:../../etc", texts: []string{"no name of a Python package"}},
		{name: "escape in the name", source: "pypi:a\x1b[2J", texts: []string{`\x1b`}},
		{name: "address", source: "pypi:demo@https://evil.example/x.whl", texts: []string{"more than a name"}},
		{name: "no version", source: "pypi:demo@newest", texts: []string{"no version there can be", "newest"}},
		{name: "nothing", source: "pypi:", texts: []string{"no name"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string][]upload{}
			if test.files != nil {
				files["demo-server"] = test.files
			}
			_, _, err := fetched(t, newIndex(t, files), test.source, kind.Options{Python: "3.11.2"})
			sourcetest.WantUsage(t, err, test.texts...)
		})
	}
}

func TestPyPIWithoutRegistry(t *testing.T) {
	_, _, err := resolve(t.Context(), mcpsf.Target{Source: "pypi:demo-server"}, t.TempDir(), nil)
	sourcetest.WantUsage(t, err, "cannot be downloaded")
}

func TestPyPITruncated(t *testing.T) {
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0"), short: true}}})
	_, _, err := fetched(t, x, "pypi:demo-server", kind.Options{})
	if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("error is %v", err)
	}
}

func TestPyPITooLarge(t *testing.T) {
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0")}}})
	_, _, err := fetched(t, x, "pypi:demo-server", kind.Options{Limits: staging.Limits{MaxBytes: 100}})
	if err == nil || !strings.Contains(err.Error(), "too much") {
		t.Errorf("error is %v", err)
	}
}

func TestPyPIStrongerDigest(t *testing.T) {
	w := wheel(t, "2.0")
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: w, hash: fmt.Sprintf("sha512=%X", sha512.Sum512(w))}}})
	a, _, err := fetched(t, x, "pypi:demo-server", kind.Options{})
	sourcetest.Must(t, err)
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(w)); a.Origin.Pin != want {
		t.Errorf("pin is %s, want %s", a.Origin.Pin, want)
	}
}

// TestPyPICredentials: an index may link to other hosts for the files, but the
// user's password is not sent there, and this machine is not reached.
func TestPyPICredentials(t *testing.T) {
	w := wheel(t, "2.0")
	var mu sync.Mutex
	var elsewhere []string
	files := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		elsewhere = append(elsewhere, r.Header.Get("Authorization"))
		_, _ = rw.Write(w)
	}))
	t.Cleanup(files.Close)
	x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: w, at: files.URL + "/demo_server-2.0-py3-none-any.whl"}}})
	var indexAuth string
	x.answer = func(_ http.ResponseWriter, r *http.Request) bool {
		indexAuth = r.Header.Get("Authorization")
		return false
	}
	c := client(t, strings.Replace(x.URL, "://", "://user:secret@", 1)+"/simple/")
	a, _, err := fetched(t, x, "pypi:demo-server", kind.Options{Registry: c})
	sourcetest.Must(t, err)
	if indexAuth != "Basic dXNlcjpzZWNyZXQ=" || !cmp.Equal(elsewhere, []string{""}) {
		t.Errorf("the index got %q, the other host %q", indexAuth, elsewhere)
	}
	if text := fmt.Sprintf("%+v %+v", a, a.Origin); strings.Contains(text, "secret") {
		t.Errorf("the artifact has the password: %s", text)
	}
}

func TestPyPIPrivateAddress(t *testing.T) {
	w := wheel(t, "2.0")
	for _, at := range []string{"http://169.254.169.254/demo_server-2.0-py3-none-any.whl", "http://10.0.0.1/demo_server-2.0-py3-none-any.whl"} {
		x := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: w, at: at}}})
		_, _, err := fetched(t, x, "pypi:demo-server", kind.Options{})
		sourcetest.WantUsage(t, err, "address of this machine or its network")
	}
}

func TestPyPIStatus(t *testing.T) {
	for status, want := range map[int]string{401: "credentials", 403: "credentials", 404: "no Python package", 410: "no Python package", 500: "out of order"} {
		x := newIndex(t, nil)
		x.answer = func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(status)
			return true
		}
		_, _, err := fetched(t, x, "pypi:demo-server", kind.Options{})
		code := mcpsf.CodeUsage
		if status >= 500 {
			code = mcpsf.CodeUnavailable
		}
		if mcpsf.ErrorCode(err) != code || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: error is %v", status, err)
		}
	}
}

// TestPyPIIndexes: all indexes count, and a failing one is not skipped.
func TestPyPIIndexes(t *testing.T) {
	own := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-1.0-py3-none-any.whl", data: wheel(t, "1.0")}}})
	public := newIndex(t, map[string][]upload{"demo-server": {{name: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0")}}})
	empty := newIndex(t, nil)
	c := client(t, empty.URL+"/simple", own.URL+"/simple/", public.URL+"/simple/")
	a, _, err := fetched(t, own, "pypi:demo-server", kind.Options{Registry: c})
	sourcetest.Must(t, err)
	if a.Version != "2.0" || !strings.HasPrefix(a.Origin.URL, public.URL) {
		t.Errorf("artifact is %s of %s", a.Version, a.Origin.URL)
	}
	own.answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusInternalServerError)
		return true
	}
	if _, _, err := fetched(t, own, "pypi:demo-server", kind.Options{Registry: c}); mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
		t.Errorf("error is %v", err)
	}
}

func TestPyPICancelled(t *testing.T) {
	x := newIndex(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	x.answer = func(http.ResponseWriter, *http.Request) bool {
		cancel()
		return false
	}
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	_, _, err := resolve(ctx, mcpsf.Target{Source: "pypi:x"}, stage, &kind.Options{Registry: client(t, x.URL)})
	if err == nil || ctx.Err() == nil {
		t.Errorf("error is %v", err)
	}
}

// TestPyPILive uses the index that this machine is configured for.
func TestPyPILive(t *testing.T) {
	c, err := registry.New(&registry.Options{Getenv: os.Getenv, Home: os.Getenv("HOME")})
	sourcetest.Must(t, err)
	t.Cleanup(c.Close)
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	a, _, err := resolve(t.Context(), mcpsf.Target{Source: "pypi:mcp-server-time"}, stage, &kind.Options{Registry: c, Python: "3.11.2"})
	if mcpsf.ErrorCode(err) == mcpsf.CodeUnavailable || err != nil && strings.Contains(err.Error(), "status 403") {
		t.Skipf("the index cannot be reached: %v", err)
	}
	sourcetest.Must(t, err)
	if a.Name != "mcp-server-time" || a.Version == "" || a.Description == "" || !strings.HasPrefix(a.Origin.Pin, "sha256:") {
		t.Errorf("artifact is %+v", a)
	}
}
