//go:build linux

package assesstest

import (
	"bytes"
	"cmp"
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
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// Registry imitates npm and PyPI. Requests for packages that the test did not
// publish go to the registries that this process is configured for.
type Registry struct {
	*httptest.Server
	real *registry.Client
	// npm and pypi are the packages by name, files the bytes by path.
	npm   map[string]map[string]any
	pypi  map[string][]string
	files map[string][]byte

	mu    sync.Mutex
	taken map[string]int // downloads by path
	// Hub is where repositories are, "" for this server.
	Hub string
}

// NewRegistry starts a registry without packages.
func NewRegistry(t *testing.T) *Registry {
	t.Helper()
	r := &Registry{
		npm: map[string]map[string]any{}, pypi: map[string][]string{}, files: map[string][]byte{}, taken: map[string]int{},
	}
	var err error
	if r.real, err = registry.New(&registry.Options{
		Getenv: environment, Home: userHome, UserAgent: "mcpsf/test", Logger: slog.New(slog.DiscardHandler),
	}); err != nil {
		t.Fatal(err)
	}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	t.Cleanup(r.real.Close)
	return r
}

// Client returns a client configured for this registry.
func (r *Registry) Client(t *testing.T) *registry.Client {
	t.Helper()
	set := map[string]string{"npm_config_registry": r.URL + "/npm/", "PIP_INDEX_URL": r.URL + "/pypi/simple/", "GITHUB_API_URL": cmp.Or(r.Hub, r.URL+"/hub")}
	client, err := registry.New(&registry.Options{
		Getenv: func(name string) string { return set[name] }, UserAgent: "mcpsf/test", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// NewCache returns a cache that is removed with the test.
func NewCache(t *testing.T) *cache.Cache {
	t.Helper()
	c, err := cache.Open(filepath.Join(t.TempDir(), "cache"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// PublishNPM publishes a version of a package, 1.0.0 if its manifest has none.
func (r *Registry) PublishNPM(t *testing.T, manifest map[string]any, content Files) {
	t.Helper()
	name := manifest["name"].(string)
	number, ok := manifest["version"].(string)
	if !ok {
		number = "1.0.0"
		manifest["version"] = number
	}
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	content = maps.Clone(content)
	content["package.json"] = string(text)
	data := Packed(t, "package", content)
	path := "/npm/" + name + "/-/" + name[strings.LastIndex(name, "/")+1:] + "-" + number + ".tgz"
	sum := sha512.Sum512(data)
	version := maps.Clone(manifest)
	version["dist"] = map[string]any{
		"tarball": r.URL + path, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
	}
	if scripts, ok := manifest["scripts"].(map[string]any); ok && scripts["postinstall"] != nil {
		version["hasInstallScript"] = true
	}
	r.files[path] = data
	versions := map[string]any{}
	if known := r.npm[name]; known != nil {
		versions = known["versions"].(map[string]any)
	}
	versions[number] = version
	r.npm[name] = map[string]any{"name": name, "dist-tags": map[string]any{"latest": number}, "versions": versions}
}

// Date says when a version of a published npm package came out.
func (r *Registry) Date(name, version, day string) {
	times, ok := r.npm[name]["time"].(map[string]any)
	if !ok {
		times = map[string]any{}
		r.npm[name]["time"] = times
	}
	times[version] = day + "T10:00:00.000Z"
}

// PublishPyPI publishes a file.
func (r *Registry) PublishPyPI(project, file string, data []byte) {
	path := "/pypi/files/" + file
	r.files[path] = data
	r.pypi[project] = append(r.pypi[project], path)
}

// Serve answers requests for a path with data.
func (r *Registry) Serve(path string, data []byte) { r.files[path] = data }

// Remove answers requests for paths with that prefix no more.
func (r *Registry) Remove(prefix string) {
	maps.DeleteFunc(r.files, func(path string, _ []byte) bool { return strings.HasPrefix(path, prefix) })
}

// Downloads counts the downloads of files with that suffix.
func (r *Registry) Downloads(suffix string) int {
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

func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
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
func (r *Registry) pass(w http.ResponseWriter, req *http.Request, to registry.Registry, path string) {
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

// NeedsReal skips a test if the real registry is not reachable.
func (r *Registry) NeedsReal(t *testing.T, project string) {
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
