//go:build linux

package assess

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// testRegistry imitates npm and PyPI. Requests for packages that the test did
// not publish go to the registries that this process is configured for.
type testRegistry struct {
	*httptest.Server
	real *registry.Client
	// npm and pypi are the packages by name, files the bytes by path.
	npm   map[string]map[string]any
	pypi  map[string][]string
	files map[string][]byte

	mu    sync.Mutex
	taken map[string]int // downloads by path
	// hub is where repositories are, "" for this server.
	hub string
}

// files are the contents of an archive by name.
type files map[string]string

// userHome is the home of the user who runs the tests, which may configure registries.
var userHome = os.Getenv("HOME")

// newRegistry starts a registry without packages.
func newRegistry(t *testing.T) *testRegistry {
	t.Helper()
	r := &testRegistry{
		npm: map[string]map[string]any{}, pypi: map[string][]string{}, files: map[string][]byte{}, taken: map[string]int{},
	}
	var err error
	if r.real, err = registry.New(&registry.Options{
		Getenv: os.Getenv, Home: userHome, UserAgent: "mcpsf/test", Logger: slog.New(slog.DiscardHandler),
	}); err != nil {
		t.Fatal(err)
	}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	t.Cleanup(r.real.Close)
	return r
}

// client returns a client configured for this registry.
func (r *testRegistry) client(t *testing.T) *registry.Client {
	t.Helper()
	set := map[string]string{"npm_config_registry": r.URL + "/npm/", "PIP_INDEX_URL": r.URL + "/pypi/simple/", "GITHUB_API_URL": cmp.Or(r.hub, r.URL+"/hub")}
	client, err := registry.New(&registry.Options{
		Getenv: func(name string) string { return set[name] }, UserAgent: "mcpsf/test", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// newCache returns a cache that is removed with the test.
func newCache(t *testing.T) *cache.Cache {
	t.Helper()
	c, err := cache.Open(filepath.Join(t.TempDir(), "cache"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// publishNPM publishes version 1.0.0 of a package.
func (r *testRegistry) publishNPM(t *testing.T, manifest map[string]any, content files) {
	t.Helper()
	name := manifest["name"].(string)
	manifest["version"] = "1.0.0"
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	content = maps.Clone(content)
	content["package.json"] = string(text)
	data := packed(t, "package", content)
	path := "/npm/" + name + "/-/" + name[strings.LastIndex(name, "/")+1:] + "-1.0.0.tgz"
	sum := sha512.Sum512(data)
	version := maps.Clone(manifest)
	version["dist"] = map[string]any{
		"tarball": r.URL + path, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
	}
	if scripts, ok := manifest["scripts"].(map[string]any); ok && scripts["postinstall"] != nil {
		version["hasInstallScript"] = true
	}
	r.files[path] = data
	r.npm[name] = map[string]any{
		"name": name, "dist-tags": map[string]any{"latest": "1.0.0"}, "versions": map[string]any{"1.0.0": version},
	}
}

// publishPyPI publishes a file.
func (r *testRegistry) publishPyPI(project, file string, data []byte) {
	path := "/pypi/files/" + file
	r.files[path] = data
	r.pypi[project] = append(r.pypi[project], path)
}

// downloads counts the downloads of files with that suffix.
func (r *testRegistry) downloads(suffix string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for path, times := range r.taken {
		if strings.HasSuffix(path, suffix) {
			n += times
		}
	}
	return n
}

func (r *testRegistry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := req.URL.Path
	if data, ok := r.files[path]; ok {
		r.mu.Lock()
		r.taken[path]++
		r.mu.Unlock()
		http.ServeContent(w, req, path, time.Time{}, bytes.NewReader(data))
		return
	}
	if name, ok := strings.CutPrefix(path, "/npm/"); ok {
		if p := r.npm[name]; p != nil {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(p)
			return
		}
		r.pass(w, req, r.real.NPM(""), strings.TrimPrefix(req.URL.EscapedPath(), "/npm/"))
		return
	}
	name, ok := strings.CutPrefix(strings.TrimSuffix(path, "/"), "/pypi/simple/")
	if !ok {
		http.NotFound(w, req)
		return
	}
	if list := r.pypi[name]; list != nil {
		w.Header().Set("Content-Type", "text/html")
		for _, file := range list {
			fmt.Fprintf(w, "<a href=\"%s#sha256=%x\">%s</a>\n", r.URL+file, sha256.Sum256(r.files[file]), filepath.Base(file))
		}
		return
	}
	r.pass(w, req, r.real.PyPI()[0], name+"/")
}

// pass forwards a request to a real registry.
func (r *testRegistry) pass(w http.ResponseWriter, req *http.Request, to registry.Registry, path string) {
	resp, err := r.real.Do(req.Context(), &registry.Request{Registry: to, Method: req.Method, URL: path, Accept: req.Header.Get("Accept")})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

// needsReal skips a test if the real registry is not reachable.
func (r *testRegistry) needsReal(t *testing.T, project string) {
	t.Helper()
	to := r.real.PyPI()[0]
	resp, err := r.real.Do(t.Context(), &registry.Request{Registry: to, URL: project + "/"})
	if err != nil {
		t.Skipf("the build needs %s, and its registry cannot be reached: %v", project, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Skipf("the build needs %s, and its registry answers %s", project, resp.Status)
	}
}

// packed packs files below a directory.
func packed(t *testing.T, dir string, content files) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	w := tar.NewWriter(zw)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		h := &tar.Header{Name: dir + "/" + name, Mode: 0o755, Size: int64(len(content[name])), Typeflag: tar.TypeReg, ModTime: time.Unix(1<<30, 0)}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// wheel packs a Python package with its metadata.
func wheel(t *testing.T, name string, content files, needs ...string) []byte {
	t.Helper()
	info := name + "-1.0.0.dist-info/"
	all := maps.Clone(content)
	metadata := "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0.0\n"
	for _, n := range needs {
		metadata += "Requires-Dist: " + n + "\n"
	}
	all[info+"METADATA"] = metadata
	all[info+"WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
	record := ""
	for _, file := range slices.Sorted(maps.Keys(all)) {
		sum := sha256.Sum256([]byte(all[file]))
		record += fmt.Sprintf("%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(all[file]))
	}
	all[info+"RECORD"] = record + info + "RECORD,,\n"
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range slices.Sorted(maps.Keys(all)) {
		f, err := w.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, all[file]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
