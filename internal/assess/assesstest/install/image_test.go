//go:build linux

package install

import (
	"archive/tar"
	"bytes"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// An image is pulled from a registry, unpacked without Docker, and its server is
// driven on the image's own files. The second run needs no registry.
func TestImageIsAssessedAndKept(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	reference := strings.TrimPrefix(server.URL, "http://") + "/team/look"
	digest := push(t, reference+":1.0", buildImage(t))
	withCache := cached(t)

	first := assesstest.Assess(t, "oci:"+reference+":1.0", withCache)
	checkImage(t, first, digest)
	server.Close()
	second := assesstest.Assess(t, "oci:"+reference+"@"+digest, withCache)
	checkImage(t, second, digest)
	if o := second.Report.Artifact.Origin; o == nil || !o.Offline {
		t.Errorf("the second run's origin is %+v", o)
	}
}

func checkImage(t *testing.T, r *assess.Result, digest string) {
	t.Helper()
	if got := r.Report.Artifact.Digest; got != digest {
		t.Errorf("digest %s, want %s", got, digest)
	}
	if !r.Report.Session.Initialized || len(r.Report.Session.Tools) != 1 {
		t.Fatalf("the server was not driven: %+v\n%s", r.Report.Session, assesstest.Explain(r))
	}
	answers := assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindMCPResponse && e.MCP.Tool == "look" })
	if len(answers) == 0 || !strings.Contains(string(answers[0].MCP.Body), "/app hello from the image uid=1000") {
		t.Errorf("it is not where it should be: %v", answers)
	}
	if !assesstest.HasFinding(r, "decoy-read") {
		t.Error("the theft was not found")
	}
}

func push(t *testing.T, reference string, img v1.Image) string {
	t.Helper()
	ref, err := name.ParseReference(reference)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(ref, img); err != nil {
		t.Fatal(err)
	}
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest.String()
}

// buildImage makes an image with one static program and one file.
func buildImage(t *testing.T) v1.Image {
	t.Helper()
	program := filepath.Join(t.TempDir(), "server")
	tool, err := exec.LookPath("go")
	if err != nil {
		tool = "/usr/local/go/bin/go" // where Go's own installer puts it
	}
	build := exec.Command(tool, "build", "-o", program, "./testdata/image")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the image's server: %v\n%s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	img := empty.Image
	for _, files := range []map[string][]byte{
		{"etc/message": []byte("from an older layer"), "etc/passwd": []byte("app:x:10001:10001::/:/app/server\n")},
		{"app/server": content, "etc/message": []byte("from the image")},
	} {
		if img, err = mutate.AppendLayers(img, layerOf(t, files)); err != nil {
			t.Fatal(err)
		}
	}
	img, err = mutate.Config(img, v1.Config{
		Entrypoint: []string{"/app/server"}, WorkingDir: "/app", Env: []string{"GREETING=hello"}, User: "10001",
	})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func layerOf(t *testing.T, files map[string][]byte) v1.Layer {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o700, Size: int64(len(content)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	if err != nil {
		t.Fatal(err)
	}
	return layer
}

// cached sets a cache of the test's own, in a directory that the sandbox's user
// can enter.
func cached(t *testing.T) assesstest.Setting {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := cache.Open(filepath.Join(dir, "cache"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	return func(o *assess.Options) { o.Sources.Cache = kept }
}
