package disk

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }

func link(s string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(s), Mode: fs.ModeSymlink | 0o777}
}

func sample() *Disk {
	main := fstest.MapFS{
		"a/b/c/x.json": file("deep"), "x.json": file("top"), "z/x.json": file("z"), ".git/x.json": file("no"), "y.txt": file("no"),
		"store/p/x.json": file("p"), "node/p": link("../store/p"), "abs": link("/store"), "up": link("../../../store"), "loop": link("loop2"),
		"loop2": link("loop"), "l/x.json": link("../store/p/x.json"), "dir.x.json/y": file(""), "fifo/x.json": {Mode: fs.ModeNamedPipe},
	}
	extra := fstest.MapFS{"x.json": file("extra"), "up": link("../../y")}
	return New(part.NewCollector(), Limits{}, Tree{FS: main}, Tree{Name: "inst", FS: extra})
}

func wantJSON(p string) bool { return strings.HasSuffix(p, "x.json") }

// Files near the top come first, links to files count as files, pipes do not.
func TestWalk(t *testing.T) {
	got, err := sample().Walk(t.Context(), wantJSON)
	want := []string{"x.json", "l/x.json", "z/x.json", "store/p/x.json", "a/b/c/x.json", "inst/x.json"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestReal(t *testing.T) {
	d := sample()
	if _, err := d.Walk(t.Context(), wantJSON); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"x.json": "x.json", "node/p/x.json": "store/p/x.json", "abs/p": "store/p", "up/p/x.json": "store/p/x.json",
		"node/p/../q": "store/q", "inst/up/z": "inst/y/z", "inst": "inst", "inst/a/../../b": "inst/b", "none/x": "none/x",
	} {
		if got, ok := d.Real(in); got != want || !ok {
			t.Errorf("%s is %q, %t; want %q", in, got, ok, want)
		}
	}
	if got, ok := d.Real("loop/x"); ok {
		t.Errorf("a circle leads to %q", got)
	}
	for in, want := range map[string]string{"l/x.json": "p", "inst/x.json": "extra", "node/p/x.json": "p"} {
		if got, ok := d.Read(in); string(got) != want || !ok {
			t.Errorf("%s is %q, %t; want %q", in, got, ok, want)
		}
	}
}

// Read errors are reported.
func TestUnreadable(t *testing.T) {
	for name, tt := range map[string]struct{ path, want string }{
		"a directory": {"a", "a: it cannot be read: it is not a file"},
		"a pipe":      {"fifo/x.json", "fifo/x.json: it cannot be read: it is not a file"},
		"nothing":     {"none", "none: it cannot be read: file does not exist"},
		"a circle":    {"loop", "loop: it cannot be read: its links lead nowhere"},
		"the top":     {"inst", "inst: it cannot be read: invalid argument"},
		"too large":   {"x.json", "x.json: it is larger than 0 MB and was not read"},
	} {
		t.Run(name, func(t *testing.T) {
			d := sample()
			if _, err := d.Walk(t.Context(), wantJSON); err != nil {
				t.Fatal(err)
			}
			if name == "too large" {
				d.limits.File = 2
			}
			if _, ok := d.Read(tt.path); ok {
				t.Error("it was read")
			}
			if !slices.Contains(d.parts.Notes(), tt.want) {
				t.Errorf("the notes are %q, want %q", d.parts.Notes(), tt.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("d/", 150)
	for name, tt := range map[string]struct {
		fsys   fstest.MapFS
		limits Limits
		found  int
		note   string
	}{
		"files": {fstest.MapFS{"a/x.json": file(""), "b/x.json": file(""), "c/x.json": file("")}, Limits{Files: 4}, 1, "more than 4 files; the rest was not looked at"},
		"depth": {fstest.MapFS{deep + "x.json": file(""), "x.json": file("")}, Limits{}, 1, "directories below 100 others were not looked into"},
		"bytes": {fstest.MapFS{"a/x.json": file("123"), "x.json": file("123")}, Limits{Bytes: 5}, 2, "more than 0 MB of manifests and lock files; the rest was not read"},
	} {
		t.Run(name, func(t *testing.T) {
			d := New(part.NewCollector(), tt.limits, Tree{FS: tt.fsys})
			files, err := d.Walk(t.Context(), wantJSON)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				d.Read(f)
			}
			if notes := strings.Join(d.parts.Notes(), "\n"); len(files) != tt.found || !strings.Contains(notes, tt.note) {
				t.Errorf("%d files, notes %q; want %d, %q", len(files), notes, tt.found, tt.note)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sample().Walk(ctx, wantJSON); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
}

func FuzzReal(f *testing.F) {
	f.Add("a/../b", "../c", "b")
	f.Fuzz(func(t *testing.T, path, target, name string) {
		d := sample()
		d.links[name] = target
		for _, p := range []string{path, "inst/" + path} {
			if got, ok := d.Real(p); ok && (strings.HasPrefix(got, "/") || strings.HasPrefix(got, "../") || got == ".." || strings.Contains(got, "/../")) {
				t.Errorf("%q with %q to %q leads to %q", p, name, target, got)
			}
		}
	})
}
