package image

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// fakeTrees keeps trees during a test, one build at a time.
type fakeTrees struct {
	mu     sync.Mutex
	dir    string
	kept   map[string][]byte
	builds int
	held   int
}

func (f *fakeTrees) Tree(ctx context.Context, key string, build func(context.Context, string) ([]byte, error)) (string, []byte, func(), error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir := filepath.Join(f.dir, strings.NewReplacer("/", "_", ":", "_").Replace(key))
	if _, ok := f.kept[key]; !ok {
		f.builds++
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", nil, nil, err
		}
		note, err := build(ctx, dir)
		if err != nil {
			return "", nil, nil, errors.Join(err, os.RemoveAll(dir))
		}
		f.kept[key] = note
	}
	f.held++
	return dir, f.kept[key], func() { f.mu.Lock(); defer f.mu.Unlock(); f.held-- }, nil
}

// fakeCache keeps files during a test.
type fakeCache struct {
	mu   sync.Mutex
	dir  string
	kept map[string][2]string
}

func (f *fakeCache) Get(key string) (string, []byte, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k, ok := f.kept[key]
	return k[0], []byte(k[1]), ok
}

func (f *fakeCache) Put(key, path string, note []byte) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	to := filepath.Join(f.dir, fmt.Sprint(len(f.kept)))
	f.kept[key] = [2]string{to, string(note)}
	return to, os.Rename(path, to)
}

func imageOptions(t testing.TB) (*kind.Options, *fakeTrees, *fakeCache) {
	t.Helper()
	// Tests use no real credentials.
	if t, ok := t.(*testing.T); ok {
		t.Setenv("HOME", t.TempDir())
		t.Setenv("DOCKER_CONFIG", "")
		t.Setenv("REGISTRY_AUTH_FILE", "")
		t.Setenv("XDG_RUNTIME_DIR", "")
		t.Setenv("XDG_CONFIG_HOME", "")
	}
	trees := &fakeTrees{dir: t.TempDir(), kept: map[string][]byte{}}
	cache := &fakeCache{dir: t.TempDir(), kept: map[string][2]string{}}
	t.Cleanup(func() {
		if trees.held != 0 {
			t.Errorf("%d trees were not released", trees.held)
		}
	})
	return &kind.Options{Trees: trees, Cache: cache}, trees, cache
}

// testRegistry serves images on this machine. change, if set, may answer
// instead of the registry and then returns true.
type testRegistry struct {
	*httptest.Server

	host   string
	mu     sync.Mutex
	change func(w http.ResponseWriter, r *http.Request) bool
}

func newTestRegistry(t testing.TB) *testRegistry {
	t.Helper()
	honest := registry.New(registry.Logger(slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)))
	r := &testRegistry{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		change := r.change
		r.mu.Unlock()
		if change == nil || !change(w, req) {
			honest.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(r.Close)
	u, err := url.Parse(r.URL)
	sourcetest.Must(t, err)
	r.host = u.Host
	return r
}

func (r *testRegistry) set(change func(w http.ResponseWriter, r *http.Request) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change = change
}

// push returns the digest.
func (r *testRegistry) push(t testing.TB, tag string, what remote.Taggable) string {
	t.Helper()
	ref, err := name.NewTag(r.host + "/" + tag)
	sourcetest.Must(t, err)
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	switch what := what.(type) {
	case v1.ImageIndex:
		sourcetest.Must(t, remote.WriteIndex(ref, what, remote.WithTransport(tr)))
	case v1.Image:
		sourcetest.Must(t, remote.Write(ref, what, remote.WithTransport(tr)))
	}
	raw, err := what.RawManifest()
	sourcetest.Must(t, err)
	return digestOf("sha256:", raw)
}

// picture builds an image for a platform.
func picture(t testing.TB, arch string, config v1.Config, layers ...[]byte) v1.Image {
	t.Helper()
	img := empty.Image
	for _, data := range layers {
		kind := types.DockerUncompressedLayer
		switch data[0] {
		case 0x1f:
			kind = types.DockerLayer
		case 0x28:
			kind = types.OCILayerZStd
		}
		var err error
		img, err = mutate.Append(img, mutate.Addendum{Layer: truthful{static.NewLayer(data, kind), data}})
		sourcetest.Must(t, err)
	}
	file, err := img.ConfigFile()
	sourcetest.Must(t, err)
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Config = "linux", arch, config
	img, err = mutate.ConfigFile(img, file)
	sourcetest.Must(t, err)
	return img
}

// truthful is a layer that states the digest of its content.
type truthful struct {
	v1.Layer

	data []byte
}

func (h truthful) DiffID() (v1.Hash, error) { return diffID(h.data), nil }

func start(words ...string) v1.Config { return v1.Config{Entrypoint: words} }

func resolveImage(t testing.TB, target mcpsf.Target, opts *kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	t.Helper()
	a, facts, err := resolve(t.Context(), target, t.TempDir(), opts)
	if a != nil && a.Release != nil {
		a.Release()
	}
	return a, facts, err
}

// wantLine checks that err is one clear line.
func wantLine(t testing.TB, err error, texts ...string) {
	t.Helper()
	if e, ok := errors.AsType[*mcpsf.Error](err); ok {
		sourcetest.WantUsage(t, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: e.Error()}, texts...)
	} else {
		t.Errorf("error is %v", err)
	}
}

func TestImage(t *testing.T) {
	opts, trees, _ := imageOptions(t)
	var done, total int64
	opts.Progress = func(d, all int64) { done, total = d, all }
	reg := newTestRegistry(t)
	config := v1.Config{
		Entrypoint: []string{"node", "/app/server.js"}, Cmd: []string{"--stdio"}, Env: []string{"PATH=/bin", "A=image", "broken", "=x"},
		WorkingDir: "app/data/", User: "node\x1b[2J", ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Labels: map[string]string{"org.opencontainers.image.description": "A\nserver"},
	}
	digest := reg.push(t, "team/server:1.2", picture(t, runtime.GOARCH, config,
		sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("app/server.js", "one"), sourcetest.TarOther("dev/null", '3', ""), sourcetest.TarFile("../up", ""))), zst(t, sourcetest.Tar(t, sourcetest.TarFile("app/server.js", "two")))))
	ref := reg.host + "/team/server:1.2"

	a, facts, err := resolveImage(t, mcpsf.Target{Source: "oci:" + ref, Env: []string{"A=user"}}, opts)
	sourcetest.Must(t, err)
	want := &mcpsf.Artifact{
		Kind: "oci", Name: reg.host + "/team/server", Version: "1.2", Digest: digest, Files: 1, Bytes: 3,
		RootFS: a.RootFS, WorkDir: "/app/data", Runtime: mcpsf.RuntimeNative,
		Command: []string{"node", "/app/server.js", "--stdio"}, Env: []string{"PATH=/bin", "A=user"}, Description: "A server",
		Origin:     &mcpsf.Origin{URL: ref, Pin: digest},
		Candidates: []mcpsf.EntryCandidate{{Command: []string{"node", "/app/server.js", "--stdio"}, Why: "the image's entry point", Chosen: true}},
		Notes: []string{
			`the image asks to run as the user "node [2J"; in the sandbox it runs as the sandbox's own`,
			`the image declares the ports "8080/tcp"`,
			`left out 1 devices and named pipes, for example "dev/null"`,
			`refused "../up": its name leads upwards, to where it has no business`,
		},
	}
	a.Release = nil
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("artifact differs (-want +got):\n%s", diff)
	}
	if len(facts) != 1 || facts[0].Kind != archive.FactRefused || facts[0].Path != "../up" {
		t.Errorf("facts are %v", facts)
	}
	if diff := cmp.Diff(map[string]string{"app/": shownDir, "app/data/": shownDir, "app/server.js": shownFile("two")}, sourcetest.Listing(t, a.RootFS)); diff != "" {
		t.Errorf("tree differs (-want +got):\n%s", diff)
	}
	if done != total || total == 0 {
		t.Errorf("progress ended at %d of %d", done, total)
	}

	// The same digest again needs neither network nor unpacking.
	reg.Close()
	for _, source := range []string{"oci:" + reg.host + "/team/server@" + digest, "oci:" + ref + "@" + digest} {
		again, factsAgain, err := resolveImage(t, mcpsf.Target{Source: source}, opts)
		sourcetest.Must(t, err)
		if again.Digest != digest || again.RootFS != a.RootFS || !again.Origin.Offline || trees.builds != 1 {
			t.Errorf("again: %+v, %d builds", again, trees.builds)
		}
		if diff := cmp.Diff(facts, factsAgain); diff != "" {
			t.Errorf("facts differ the second time:\n%s", diff)
		}
		if tag := map[bool]string{true: "1.2", false: ""}[strings.Contains(source, ":1.2@")]; again.Version != tag {
			t.Errorf("%s has the version %q", source, again.Version)
		}
	}

	// The same tag again works, too, with a note.
	again, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + ref}, opts)
	sourcetest.Must(t, err)
	if !again.Origin.Offline || again.Digest != digest || !strings.Contains(again.Notes[0], "could not be reached") {
		t.Errorf("offline: %+v", again)
	}
}

func TestImageTagThatMoved(t *testing.T) {
	opts, trees, _ := imageOptions(t)
	reg := newTestRegistry(t)
	source := mcpsf.Target{Source: "oci:" + reg.host + "/s"}
	first := reg.push(t, "s:latest", picture(t, runtime.GOARCH, start("a"), sourcetest.Tar(t, sourcetest.TarFile("a", "1"))))
	a, _, err := resolveImage(t, source, opts)
	sourcetest.Must(t, err)
	second := reg.push(t, "s:latest", picture(t, runtime.GOARCH, start("b"), sourcetest.Tar(t, sourcetest.TarFile("a", "2"))))
	b, _, err := resolveImage(t, source, opts)
	sourcetest.Must(t, err)
	if a.Digest != first || b.Digest != second || b.Command[0] != "b" || b.Version != "latest" || trees.builds != 2 {
		t.Errorf("%s, then %s", a.Digest, b.Digest)
	}
	// A refusal is an answer, unlike no answer at all.
	reg.set(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusForbidden); return true })
	if _, _, err := resolveImage(t, source, opts); err == nil || !strings.Contains(err.Error(), "docker login") {
		t.Errorf("error is %v", err)
	}
	reg.set(nil)
	reg.Close()
	c, _, err := resolveImage(t, source, opts)
	sourcetest.Must(t, err)
	if c.Digest != second {
		t.Errorf("offline it is %s, want the last one", c.Digest)
	}
}

func TestImageCommand(t *testing.T) {
	for _, test := range []struct {
		name       string
		entry, cmd []string
		target     mcpsf.Target
		want       []string
	}{
		{"both", []string{"e"}, []string{"c"}, mcpsf.Target{}, []string{"e", "c"}},
		{"cmd alone", nil, []string{"c", "d"}, mcpsf.Target{}, []string{"c", "d"}},
		{"arguments take cmd's place", []string{"e"}, []string{"c"}, mcpsf.Target{Args: []string{"a"}}, []string{"e", "a"}},
		{"arguments alone", nil, []string{"c"}, mcpsf.Target{Args: []string{"a", "b"}}, []string{"a", "b"}},
		{"given", []string{"e"}, []string{"c"}, mcpsf.Target{Command: []string{"x"}}, []string{"x"}},
		{"none", nil, nil, mcpsf.Target{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.target.Source = "oci:x.example/y"
			got, err := commandOf(test.target, &settings{Entrypoint: test.entry, Cmd: test.cmd})
			if test.want == nil {
				sourcetest.WantUsage(t, err, "no entry point", "mcpsf assess oci:x.example/y -- COMMAND")
			} else if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%v, differs (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestImageWithoutEntryPointIsReleased(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, v1.Config{}, sourcetest.Tar(t, sourcetest.TarFile("a", "1"))))
	_, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, opts)
	sourcetest.WantUsage(t, err, "-- COMMAND")
	a, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/s:1", Command: []string{"sh"}}, opts)
	sourcetest.Must(t, err)
	if a.WorkDir != "/" || !slices.Equal(a.Command, []string{"sh"}) {
		t.Errorf("artifact is %+v", a)
	}
}

func TestImageIndex(t *testing.T) {
	other := map[string]string{"amd64": "arm64"}[runtime.GOARCH]
	if other == "" {
		other = "amd64"
	}
	add := func(arch string) mutate.IndexAddendum {
		return mutate.IndexAddendum{
			Add:        picture(t, arch, start(arch), sourcetest.Tar(t, sourcetest.TarFile("a", arch))),
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}},
		}
	}
	attestation := mutate.IndexAddendum{
		Add:        picture(t, "unknown", v1.Config{}, sourcetest.Tar(t, sourcetest.TarFile("x", ""))),
		Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "unknown", Architecture: "unknown"}},
	}
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	both := mutate.AppendManifests(empty.Index, attestation, add(other), add(runtime.GOARCH))
	index := reg.push(t, "both:1", both)
	reg.push(t, "nested:1", mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: both}))
	reg.push(t, "one:1", mutate.AppendManifests(empty.Index, attestation, add(other), add("riscv64")))
	reg.push(t, "plain:1", picture(t, other, start("x"), sourcetest.Tar(t, sourcetest.TarFile("a", ""))))

	want, err := add(runtime.GOARCH).Add.(v1.Image).Digest()
	sourcetest.Must(t, err)
	for _, source := range []string{"both:1", "nested:1", "both@" + index} {
		a, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/" + source}, opts)
		sourcetest.Must(t, err)
		if a.Command[0] != runtime.GOARCH || a.Digest != want.String() {
			t.Errorf("%s: command %q, digest %s, want %s", source, a.Command, a.Digest, want)
		}
	}
	_, _, err = resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/one:1"}, opts)
	sourcetest.WantUsage(t, err, "for linux/"+runtime.GOARCH, "linux/"+other+", linux/riscv64")
	_, _, err = resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/plain:1"}, opts)
	sourcetest.WantUsage(t, err, "for linux/"+runtime.GOARCH, "there is: linux/"+other)

	reg.Close()
	a, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/both@" + index}, opts)
	sourcetest.Must(t, err)
	if a.Digest != want.String() || !a.Origin.Offline {
		t.Errorf("offline: %+v", a)
	}
}

func TestImageConcurrently(t *testing.T) {
	opts, trees, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
	var group sync.WaitGroup
	for range 10 {
		stage := t.TempDir()
		group.Go(func() {
			a, _, err := resolve(t.Context(), mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, stage, opts)
			if err != nil {
				t.Error(err)
				return
			}
			defer a.Release()
			if data, err := os.ReadFile(filepath.Join(a.RootFS, "a")); err != nil || string(data) != "1" {
				t.Errorf("%q, %v", data, err)
			}
		})
	}
	group.Wait()
	if trees.builds != 1 {
		t.Errorf("%d builds", trees.builds)
	}
}

func TestPullRuntime(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "node:22", picture(t, runtime.GOARCH, v1.Config{Env: []string{"PATH=/usr/local/bin"}}, sourcetest.Tar(t, sourcetest.TarFile("bin/node", "1"))))
	for _, ref := range []string{reg.host + "/node:22", "oci:" + reg.host + "/node:22"} {
		dir, env, release, err := PullRuntime(t.Context(), ref, opts)
		sourcetest.Must(t, err)
		if len(sourcetest.Listing(t, dir)) != 2 || !slices.Equal(env, []string{"PATH=/usr/local/bin"}) {
			t.Errorf("%s, %q", dir, env)
		}
		release()
	}
	_, _, _, err := PullRuntime(t.Context(), reg.host+"/node:99", opts)
	sourcetest.WantUsage(t, err, "has no image", "node:99")
	_, _, _, err = PullRuntime(t.Context(), reg.host+"/node:22", nil)
	if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "cache") {
		t.Errorf("without a cache: %v", err)
	}
}

func TestImageFailures(t *testing.T) {
	answer := func(status int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/v2/" {
				return false
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
			return true
		}
	}
	onBlob := func(do func(w http.ResponseWriter, r *http.Request)) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/blobs/") {
				return false
			}
			do(w, r)
			return true
		}
	}
	manifest := func(v any) func(http.ResponseWriter, *http.Request) bool {
		data, err := json.Marshal(v)
		sourcetest.Must(t, err)
		return answer(http.StatusOK, string(data))
	}
	descriptor := func(kind types.MediaType, size int64) map[string]any {
		return map[string]any{"mediaType": kind, "digest": "sha256:" + strings.Repeat("a", 64), "size": size}
	}
	config := descriptor(types.DockerConfigJSON, 10)
	for _, test := range []struct {
		name   string
		ref    string
		change func(http.ResponseWriter, *http.Request) bool
		code   mcpsf.Code
		want   []string
	}{
		{"unknown tag", "s:9", nil, mcpsf.CodeUsage, []string{"has no image", "s:9"}},
		{"unknown repository", "nobody:1", nil, mcpsf.CodeUsage, []string{"has no image"}},
		{"unauthorized", "s:1", answer(401, `{"errors":[{"code":"UNAUTHORIZED","message":"\u001b[2Jno"}]}`), mcpsf.CodeUsage, []string{"docker login", "private"}},
		{"forbidden", "s:1", answer(403, "no"), mcpsf.CodeUsage, []string{"docker login"}},
		{"asked too often", "s:1", answer(429, ""), mcpsf.CodeUnavailable, []string{"too often"}},
		{"down", "s:1", answer(503, "<html>"), mcpsf.CodeUnavailable, []string{"is down"}},
		{"teapot", "s:1", answer(418, strings.Repeat("x", 1<<20)), mcpsf.CodeUsage, []string{"s:1"}},
		{"not a reference", "S:1:2", nil, mcpsf.CodeUsage, []string{"not a reference"}},
		{"html", "s:1", answer(200, "<html>"), mcpsf.CodeUsage, []string{"is not an image"}},
		{"endless manifest", "s:1", answer(200, strings.Repeat("x", maxManifest+1)), mcpsf.CodeUsage, []string{"larger than 4.0 MiB"}},
		{"deep", "s:1", answer(200, `{"config":`+strings.Repeat("[", 100_000)), mcpsf.CodeUsage, []string{"is not an image"}},
		{"schema 1", "s:1", manifest(map[string]any{"schemaVersion": 1, "fsLayers": []int{}}), mcpsf.CodeUsage, []string{"unsupported media type"}},
		{"two readings", "s:1", manifest(map[string]any{"manifests": []any{}, "config": config}), mcpsf.CodeUsage, []string{"two ways"}},
		{"artifact", "s:1", manifest(map[string]any{"mediaType": "application/x"}), mcpsf.CodeUsage, []string{"is not an image", "application/x"}},
		{"chart", "s:1", manifest(map[string]any{"config": descriptor("application/vnd.cncf.helm.config.v1+json", 1)}), mcpsf.CodeUsage, []string{"is not an image", "helm"}},
		{"encrypted", "s:1", manifest(map[string]any{"config": config, "layers": []any{descriptor(types.OCILayer+"+encrypted", 1)}}), mcpsf.CodeUsage, []string{"unsupported media type", "encrypted"}},
		{"too large", "s:1", manifest(map[string]any{"config": config, "layers": []any{descriptor(types.OCILayer, 3<<30), descriptor(types.OCILayer, 3<<30)}}), mcpsf.CodeUsage, []string{"more than 4.0 GiB"}},
		{"negative size", "s:1", manifest(map[string]any{"config": config, "layers": []any{descriptor(types.OCILayer, -1)}}), mcpsf.CodeUsage, []string{"more than 4.0 GiB"}},
		{"too many layers", "s:1", manifest(map[string]any{"config": config, "layers": slices.Repeat([]any{descriptor(types.OCILayer, 1)}, 257)}), mcpsf.CodeUsage, []string{"256 layers"}},
		{"empty index", "s:1", manifest(map[string]any{"manifests": []any{}}), mcpsf.CodeUsage, []string{"there is: none"}},
		{"index to nowhere", "s:1", func(w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/manifests/1") && manifest(map[string]any{"manifests": []any{descriptor(types.OCIImageIndex, 1)}})(w, r)
		}, mcpsf.CodeUsage, []string{"has no image"}},
		{"another manifest than asked for", "s@sha256:" + strings.Repeat("a", 64), manifest(map[string]any{"config": config}), mcpsf.CodeUsage, []string{"tampered", "does not match"}},
		{"manifest with a forged digest", "s@sha256:" + strings.Repeat("a", 64), func(w http.ResponseWriter, r *http.Request) bool {
			// For this media type the library trusts the header.
			w.Header().Set("Content-Type", string(types.DockerManifestSchema1Signed))
			w.Header().Set("Docker-Content-Digest", "sha256:"+strings.Repeat("a", 64))
			return manifest(map[string]any{"schemaVersion": 2, "config": config})(w, r)
		}, mcpsf.CodeUsage, []string{"tampered", "instead of sha256:aaa"}},
		{"blob is gone", "s:1", onBlob(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }), mcpsf.CodeUsage, []string{"has no image"}},
		{"blob is another", "s:1", onBlob(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "evil") }), mcpsf.CodeUsage, []string{"tampered", "checksum"}},
		{"blob is larger", "s:1", onBlob(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
		}), mcpsf.CodeUsage, []string{"larger than its manifest says"}},
		{"blob is cut short", "s:1", onBlob(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "x")
		}), mcpsf.CodeUnavailable, []string{"ended the connection"}},
		{"blob redirects forever", "s:1", onBlob(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
		}), mcpsf.CodeUsage, []string{"redirects more than"}},
		{"blob elsewhere without encryption", "s:1", onBlob(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://blobs.example/x", http.StatusTemporaryRedirect)
		}), mcpsf.CodeUsage, []string{"not encrypted", "blobs.example"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts, trees, cache := imageOptions(t)
			reg := newTestRegistry(t)
			reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
			reg.set(test.change)
			_, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/" + test.ref}, opts)
			if err == nil || mcpsf.ErrorCode(err) != test.code {
				t.Fatalf("error is %v of code %s, want %s", err, mcpsf.ErrorCode(err), test.code)
			}
			wantLine(t, err, test.want...)
			if strings.Contains(err.Error(), "://"+reg.host) {
				t.Errorf("the error has an address in it: %v", err)
			}
			if left, err := os.ReadDir(trees.dir); err != nil || len(left) != 0 || len(trees.kept) != 0 {
				t.Errorf("something was left in the cache: %v, %v", left, err)
			}
			if test.change != nil && strings.Contains(test.name, "manifest") && len(cache.kept) != 0 {
				t.Errorf("a broken manifest was kept")
			}
		})
	}
}

func TestImageRegistryThatIsNotThere(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.Close()
	_, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, opts)
	if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
		t.Fatalf("error is %v", err)
	}
	wantLine(t, err, "cannot be reached", "refused")
}

// TestImageHostFailure: a failure of this machine is not blamed on the
// registry.
func TestImageHostFailure(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
	img, err := locate(t.Context(), "oci:"+reg.host+"/s:1", opts.Complete(), sandboxPlatform())
	sourcetest.Must(t, err)
	defer img.from.close()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	err = (&builder{image: img}).fetch(t.Context(), img.config, full)
	if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
		t.Errorf("code is %s", mcpsf.ErrorCode(err))
	}
	wantLine(t, err, "no space left")
}

func TestImageBlobIsTriedAgain(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
	var once sync.Map
	reg.set(func(w http.ResponseWriter, r *http.Request) bool {
		if _, seen := once.LoadOrStore(r.URL.Path, true); seen || !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(w, "half of i")
		return true
	})
	a, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, opts)
	sourcetest.Must(t, err)
	if diff := cmp.Diff(map[string]string{"a": shownFile("1")}, sourcetest.Listing(t, a.RootFS)); diff != "" {
		t.Errorf("tree differs (-want +got):\n%s", diff)
	}
}

// TestImageCredentials: they go only to the registry and to no host that it
// names.
func TestImageCredentials(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("DOCKER_CONFIG", filepath.Join(home, ".docker"))
	sourcetest.PlantOne(t, home, ".docker/config.json", `{"auths":{"`+reg.host+`":{"auth":"dXNlcjpzZWNyZXQ="}}}`)
	var leaked []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		leaked = append(leaked, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	reg.set(func(w http.ResponseWriter, r *http.Request) bool {
		if user, password, _ := r.BasicAuth(); user != "user" || password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		return false
	})
	_, _, err := resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, opts)
	sourcetest.Must(t, err)
	opts.Cache, opts.Trees = nil, &fakeTrees{dir: t.TempDir(), kept: map[string][]byte{}}
	reg.set(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/blobs/") {
			http.Redirect(w, r, other.URL+"/x", http.StatusTemporaryRedirect)
			return true
		}
		return false
	})
	if _, _, err = resolveImage(t, mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, opts); err == nil {
		t.Error("a redirect to another service of this machine was followed")
	}
	if len(leaked) != 0 {
		t.Errorf("the other one was asked with %q", leaked)
	}
}

// TestImageWithBrokenCredentials: a public image needs none.
func TestImageWithBrokenCredentials(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("DOCKER_CONFIG", filepath.Join(home, ".docker"))
	sourcetest.PlantOne(t, home, ".docker/config.json", `{"credsStore":"there-is-no-such-helper"}`)
	target := mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}
	_, _, err := resolveImage(t, target, opts)
	sourcetest.Must(t, err)
	reg.set(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusForbidden); return true })
	_, _, err = resolveImage(t, target, opts)
	sourcetest.WantUsage(t, err, "docker login "+reg.host, "no-such-helper")
}

func TestImageConfigIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ config, want string }{
		"nonsense":          {`[`, "cannot be read"},
		"NUL":               {`{"config":{"Cmd":["a\u0000b"]}}`, "NUL"},
		"large environment": {`{"config":{"Env":["A=` + strings.Repeat("x", 300<<10) + `"]}}`, "larger than"},
		"working directory": {`{"config":{"WorkingDir":"/a\u001b[2J"}}`, "control characters"},
		"platform":          {`{"os":"windows","architecture":"amd64"}`, "windows/amd64"},
		"layers":            {`{"rootfs":{"diff_ids":["md5:00"]}}`, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := parseSettings("oci:x", []byte(test.config), sandboxPlatform())
			sourcetest.WantUsage(t, err, test.want)
		})
	}
}

func TestImageName(t *testing.T) {
	for text, want := range map[string][2]string{
		"alpine": {"alpine", "latest"},
		"alpine:3@sha256:" + strings.Repeat("a", 64): {"alpine", "3"},
		"team/x:1":                  {"team/x", "1"},
		"docker.io/team/x":          {"team/x", "latest"},
		"registry.example:5000/x:1": {"registry.example:5000/x", "1"},
		"registry.example:5000/x@sha256:" + strings.Repeat("a", 64): {"registry.example:5000/x", ""},
	} {
		ref, err := name.ParseReference(text)
		sourcetest.Must(t, err)
		if got := [2]string{nameOf(ref.Context()), tagOf(text, ref)}; got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestCourier(t *testing.T) {
	for _, test := range []struct {
		registry, url, want string
	}{
		{"registry.example", "https://registry.example/v2/", ""},
		{"registry.example", "https://blobs.example/x", ""},
		{"localhost:5000", "http://localhost:5000/v2/", ""},
		{"[::1]:5000", "http://[::1]:5000/v2/", ""},
		{"registry.example", "http://registry.example/v2/", "not encrypted"},
		{"192.168.1.2:5000", "http://192.168.1.2:5000/v2/", "not encrypted"},
		{"registry.example", "http://localhost/", "of this machine"},
		{"registry.example", "https://127.0.0.1:8443/", "of this machine"},
		{"registry.example", "https://0.0.0.0/", "of this machine"},
		{"registry.example", "https://x.LOCALHOST./", "of this machine"},
		{"localhost:5000", "http://localhost:6000/", "not encrypted"},
		{"registry.example", "ftp://registry.example/", "not encrypted"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, test.url, http.NoBody)
		sourcetest.Must(t, err)
		err = (&courier{host: test.registry}).admit(req)
		if test.want == "" && err != nil {
			t.Errorf("%s to %s: %v", test.registry, test.url, err)
		}
		if test.want != "" {
			sourcetest.WantUsage(t, err, test.want)
		}
	}
}

// TestCarriedBody: a registry that stops sending, or sends too slowly, gives an
// error.
func TestCarriedBody(t *testing.T) {
	for name, every := range map[string]time.Duration{"silent": time.Hour, "trickle": 20 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				body := &carriedBody{ReadCloser: io.NopCloser(readFunc(func(b []byte) (int, error) {
					select {
					case <-time.After(every):
						b[0] = 'x'
						return 1, nil
					case <-ctx.Done():
						return 0, ctx.Err()
					}
				})), cancel: cancel, limit: 1 << 20}
				n, err := io.Copy(io.Discard, body)
				if !errors.Is(err, errSilent) || n > 100 {
					t.Errorf("%d bytes, %v", n, err)
				}
			})
		})
	}
}

func TestImageCancelled(t *testing.T) {
	opts, _, _ := imageOptions(t)
	reg := newTestRegistry(t)
	reg.push(t, "s:1", picture(t, runtime.GOARCH, start("x"), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "1")))))
	ctx, cancel := context.WithCancel(t.Context())
	reg.set(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/blobs/") {
			cancel()
			<-r.Context().Done()
		}
		return false
	})
	_, _, err := resolve(ctx, mcpsf.Target{Source: "oci:" + reg.host + "/s:1"}, t.TempDir(), opts)
	if !errors.Is(err, context.Canceled) || mcpsf.ErrorCode(err) == mcpsf.CodeUsage {
		t.Errorf("error is %v, want the context's", err)
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }
