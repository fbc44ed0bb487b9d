package cache

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sampleManifest() *manifest {
	return &manifest{
		header: header{Kind: KindTree, Key: []byte("k\xff\n"), Made: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Bytes: 1 << 40, Files: 3},
		note:   []byte("note\x00"),
		dirs: []directory{
			{path: "", items: []item{
				{kind: itemLink, name: "\n", link: "/\xff"},
				{kind: itemDir, name: "!"},
				{kind: itemFile, name: "a", size: 1 << 40, sum: [32]byte{1}},
				{kind: itemDir, name: "b"},
				{kind: itemProgram, name: "c", sum: [32]byte{2}},
			}},
			{path: "!"},
			{path: "b", items: []item{{kind: itemFile, name: "x"}}},
		},
	}
}

func TestManifestRoundTrip(t *testing.T) {
	want := sampleManifest()
	data, err := want.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(manifest{}, directory{}, item{}), cmp.AllowUnexported(header{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if _, err := decode(changed); !damaged(err) {
			t.Fatalf("a change of byte %d gave %v, want damage", i, err)
		}
		if _, err := decode(data[:i]); !damaged(err) {
			t.Fatalf("the first %d bytes gave %v, want damage", i, err)
		}
	}
}

func TestManifestsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(m *manifest){
		"name leads up":     func(m *manifest) { m.dirs[2].items[0].name = "../../x" },
		"name is a parent":  func(m *manifest) { m.dirs[2].items[0].name = ".." },
		"no name":           func(m *manifest) { m.dirs[2].items[0].name = "" },
		"NUL":               func(m *manifest) { m.dirs[2].items[0].name = "x\x00" },
		"path leads up":     func(m *manifest) { m.dirs[2].path = "../x" },
		"absolute path":     func(m *manifest) { m.dirs[2].path = "/etc" },
		"path not clean":    func(m *manifest) { m.dirs[2].path = "b/../c" },
		"directory twice":   func(m *manifest) { m.dirs[2].path = "!" },
		"names not sorted":  func(m *manifest) { m.dirs[0].items[0].name = "z" },
		"name twice":        func(m *manifest) { m.dirs[0].items[4].name = "b" },
		"no root":           func(m *manifest) { m.dirs = m.dirs[1:] },
		"nothing":           func(m *manifest) { m.dirs = nil },
		"unlisted":          func(m *manifest) { m.dirs = m.dirs[:2] },
		"unknown kind":      func(m *manifest) { m.dirs[0].items[1].kind = 'q' },
		"unknown entry":     func(m *manifest) { m.Kind = "cake" },
		"negative size":     func(m *manifest) { m.dirs[0].items[2].size = -1 },
		"negative bytes":    func(m *manifest) { m.Bytes = -1 },
		"header very large": func(m *manifest) { m.Key = make([]byte, maxHeader) },
	} {
		t.Run(name, func(t *testing.T) {
			m := sampleManifest()
			change(m)
			data, err := m.encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := decode(data); !damaged(err) {
				t.Errorf("got %v, want damage", err)
			}
		})
	}
}

// FuzzDecode gives every input a valid digest, so that it is parsed.
func FuzzDecode(f *testing.F) {
	data, err := sampleManifest().encode()
	if err != nil {
		f.Fatal(err)
	}
	body := data[:len(data)-sha256.Size]
	f.Add(body)
	f.Add(body[:len(magic)])
	f.Add([]byte(magic + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add([]byte(magic + "\x0f{\"kind\":\"tree\"}\x00\xff\xff\xff\xff\x0f"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		m, err := decode(append(bytes.Clone(body), sum[:]...))
		if err != nil {
			if !damaged(err) {
				t.Fatalf("got %v, want damage", err)
			}
			return
		}
		for _, d := range m.dirs {
			if !filepath.IsLocal(d.dot()) {
				t.Errorf("the directory %q leads away", d.path)
			}
			for _, it := range d.items {
				if !filepath.IsLocal(it.name) || filepath.Base(it.name) != it.name {
					t.Errorf("the name %q leads away", it.name)
				}
			}
		}
		again, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(again); err != nil {
			t.Errorf("what was read cannot be read again: %v", err)
		}
	})
}

// BenchmarkReuse measures what a second run of the same server waits for.
func BenchmarkReuse(b *testing.B) {
	c := newCache(b)
	content := bytes.Repeat([]byte("x"), 6<<10)
	mustTree(b, c, "key", func(_ context.Context, dir string) ([]byte, error) {
		for i := range 500 {
			sub := filepath.Join(dir, "node_modules", fmt.Sprintf("@scope%d", i%20), fmt.Sprintf("package%d", i), "dist", "lib")
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return nil, err
			}
			for j := range 10 {
				if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("module%d.js", j)), content, 0o644); err != nil {
					return nil, err
				}
			}
		}
		return nil, nil
	})
	for b.Loop() {
		_, _, release, err := c.Tree(b.Context(), "key", noBuild)
		if err != nil {
			b.Fatal(err)
		}
		release()
	}
}
