//go:build linux

package install

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/sandbox/sandboxtest"
)

// A server that is not in the image runs on the image's interpreter, and sees
// nothing of the host's.
func TestServerRunsOnARuntimeImage(t *testing.T) {
	t.Parallel()
	sandboxtest.Require(t)
	archive := filepath.Join(t.TempDir(), "python.tar")
	reference, err := name.NewTag("runtime.test/python:3")
	if err != nil {
		t.Fatal(err)
	}
	if err := tarball.WriteToFile(archive, reference, pythonImage(t)); err != nil {
		t.Fatal(err)
	}
	r := assesstest.Assess(t, assesstest.Example(t, "notes-python"), cached(t), func(o *assess.Options) {
		o.Sources.Image, o.Sources.HostPath = "oci-archive:"+archive, ""
	})
	if !r.Report.Session.Initialized || r.Report.Verdict.Band != "PASS" {
		t.Fatalf("%s: %+v\n%s", r.Report.Verdict.Band, r.Report.Session, assesstest.Explain(r))
	}
	for _, e := range r.Events {
		if e.File != nil && strings.HasPrefix(e.File.Path, "/usr/share/doc") {
			t.Fatalf("the host's files are there: %+v", e.File)
		}
	}
}

// pythonImage packs the host's own Python into an image.
func pythonImage(t *testing.T) v1.Image {
	t.Helper()
	program, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		sandboxtest.Missing(t, "no /usr/bin/python3 to make an image of")
	}
	var b bytes.Buffer
	p := packing{t: t, w: tar.NewWriter(&b), has: map[string]bool{}}
	p.file(program, "usr/bin/python3")
	p.file("/usr/bin/env", "usr/bin/env")
	for _, library := range libraries(t, program) {
		p.file(library, library[1:])
	}
	p.tree("/usr/lib/" + filepath.Base(program))
	if err := p.w.Close(); err != nil {
		t.Fatal(err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	if err != nil {
		t.Fatal(err)
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		t.Fatal(err)
	}
	if img, err = mutate.Config(img, v1.Config{Env: []string{"PATH=/usr/bin"}, Cmd: []string{"python3"}}); err != nil {
		t.Fatal(err)
	}
	return img
}

var libraryPath = regexp.MustCompile(`/\S+\.so\S*`)

func libraries(t *testing.T, program string) []string {
	t.Helper()
	out, err := exec.Command("ldd", program).Output()
	if err != nil {
		sandboxtest.Missing(t, "ldd does not tell what Python needs")
	}
	return libraryPath.FindAllString(string(out), -1)
}

type packing struct {
	t   *testing.T
	w   *tar.Writer
	has map[string]bool
}

func (p *packing) file(from, to string) {
	content, err := os.ReadFile(from)
	if err != nil || p.has[to] {
		return
	}
	p.has[to] = true
	if err := p.w.WriteHeader(&tar.Header{Name: to, Mode: 0o755, Size: int64(len(content)), Typeflag: tar.TypeReg}); err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.w.Write(content); err != nil {
		p.t.Fatal(err)
	}
}

func (p *packing) tree(dir string) {
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && (d.Name() == "test" || d.Name() == "__pycache__" || d.Name() == "idlelib"):
			return fs.SkipDir
		case !d.IsDir():
			p.file(name, name[1:])
		}
		return nil
	})
}
