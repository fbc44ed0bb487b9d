package interpreter

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// memoryTrees is a [Trees] for one test.
type memoryTrees struct {
	t     *testing.T
	kept  map[string]string
	notes map[string][]byte
	// held counts trees that were not released.
	held int
}

var _ Trees = (*memoryTrees)(nil)

func newTrees(t *testing.T) *memoryTrees {
	m := &memoryTrees{t: t, kept: map[string]string{}, notes: map[string][]byte{}}
	t.Cleanup(func() {
		if m.held != 0 {
			t.Errorf("%d trees were not released", m.held)
		}
	})
	return m
}

func (m *memoryTrees) Tree(ctx context.Context, key string, build func(context.Context, string) ([]byte, error)) (string, []byte, func(), error) {
	if m.kept[key] == "" {
		dir, err := os.MkdirTemp(m.t.TempDir(), "tree")
		if err != nil {
			m.t.Fatal(err)
		}
		note, err := build(ctx, dir)
		if err != nil {
			return "", nil, nil, fmt.Errorf("building: %w", err)
		}
		m.kept[key], m.notes[key] = dir, note
	}
	m.held++
	return m.kept[key], m.notes[key], func() { m.held-- }, nil
}

// shop is a registry that the test serves.
type shop struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string][]byte
	asked []string
}

func newShop(t *testing.T) *shop {
	s := &shop{files: map[string][]byte{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r.URL.Path)
		content, ok := s.files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *shop) client(t *testing.T) *registry.Client {
	t.Helper()
	c, err := registry.New(&registry.Options{Getenv: func(name string) string {
		return map[string]string{"npm_config_registry": s.URL + "/npm/", "PIP_INDEX_URL": s.URL + "/simple/"}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// sells adds npm packages to the shop; a nil tarball is listed but not served.
func (s *shop) sells(t *testing.T, name string, versions map[string][]byte, engines map[string]any) {
	t.Helper()
	doc := map[string]any{}
	for v, tarball := range versions {
		path := "/npm/" + name + "/-/" + v + ".tgz"
		if tarball != nil {
			s.files[path] = tarball
		}
		sum := sha512.Sum512(tarball)
		doc[v] = map[string]any{
			"engines": engines[v],
			"dist":    map[string]any{"tarball": s.URL + path, "integrity": "sha1-x sha512-" + base64.StdEncoding.EncodeToString(sum[:])},
		}
	}
	s.states(t, name, doc)
}

func (s *shop) states(t *testing.T, name string, versions map[string]any) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"name": name, "versions": versions})
	if err != nil {
		t.Fatal(err)
	}
	s.files["/npm/"+name] = text
}

// tarball packs headers with their contents, given as "name=content".
func tarball(t testing.TB, headers []tar.Header, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	tw := tar.NewWriter(zw)
	for _, h := range headers {
		if err := tw.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(tw, zeros{}, h.Size); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range entries {
		name, content, _ := strings.Cut(e, "=")
		if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(tw, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func wheel(t testing.TB, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := zip.NewWriter(&out)
	for _, e := range entries {
		name, content, _ := strings.Cut(e, "=")
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o644)
		if target, ok := strings.CutPrefix(content, "->"); ok {
			h.SetMode(os.ModeSymlink | 0o777)
			content = target
		}
		w, err := zw.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// within lists the files below a directory.
func within(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
