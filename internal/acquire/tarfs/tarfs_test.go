package tarfs

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// pack makes an archive. A body that begins with "->" is a symbolic link, with
// "=>" a hard link; a name that ends in a slash is a directory.
func pack(t testing.TB, entries ...string) *FS {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		name, body := entries[i], entries[i+1]
		h := &tar.Header{Name: name, Mode: 0o644, Typeflag: tar.TypeReg, Size: int64(len(body))}
		switch {
		case strings.HasSuffix(name, "/"):
			h.Typeflag, h.Mode, h.Size, body = tar.TypeDir, 0o755, 0, ""
		case strings.HasPrefix(body, "->"):
			h.Typeflag, h.Linkname, h.Size, body = tar.TypeSymlink, body[2:], 0, ""
		case strings.HasPrefix(body, "=>"):
			h.Typeflag, h.Linkname, h.Size, body = tar.TypeLink, body[2:], 0, ""
		case body == "device":
			h.Typeflag, h.Size, body = tar.TypeChar, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := New(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestConformance(t *testing.T) {
	f := pack(t, "/home/dev/app/index.js", "x", "/home/dev/app/lib/a.js", "yy", "/home/dev/empty/", "", "top", "")
	if err := fstest.TestFS(f, "home/dev/app/index.js", "home/dev/app/lib/a.js", "home/dev/empty", "top"); err != nil {
		t.Error(err)
	}
}

func TestReading(t *testing.T) {
	f := pack(t,
		"/app/a.js", "first", "/app/b.js", "=>/app/a.js", "/app/c.js", "->a.js", "/lib", "->/app", "/app/a.js", "second",
		"/deep/link", "->../../../../app", "/loop/a", "->b", "/loop/b", "->a", "/out", "->/etc/passwd", "../../climbs", "stays",
		"/dev/tty", "device", "/app/a.js/below", "no", "/app", "a file", "/none", "=>/nowhere",
	)
	for name, want := range map[string]string{
		"app/a.js": "second", "app/b.js": "first", "app/c.js": "second", "lib/a.js": "second", "deep/link/a.js": "second", "climbs": "stays",
	} {
		got, err := fs.ReadFile(f, name)
		if err != nil || string(got) != want {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"loop/a", "out", "dev/tty", "app/a.js/below", "none", "/app/a.js", "../climbs", "nothing"} {
		if data, err := fs.ReadFile(f, name); err == nil {
			t.Errorf("%s can be read: %q", name, data)
		}
	}
	if to, err := f.ReadLink("lib"); err != nil || to != "/app" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
	if _, err := f.ReadLink("app/a.js"); err == nil {
		t.Error("a file is no link")
	}
	if i, err := f.Lstat("app/c.js"); err != nil || i.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("lstat follows: %v %v", i, err)
	}
	if i, err := f.Stat("app/c.js"); err != nil || !i.Mode().IsRegular() || i.Name() != "c.js" || i.Size() != 6 {
		t.Errorf("stat does not follow: %v %v", i, err)
	}
}

func TestBrokenArchive(t *testing.T) {
	junk := bytes.Repeat([]byte{7}, 2048)
	if _, err := New(bytes.NewReader(junk), int64(len(junk))); err == nil {
		t.Error("junk is an archive")
	}
}

// For any archive, walking ends and reads nothing outside of it.
func FuzzWalk(f *testing.F) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	_ = w.WriteHeader(&tar.Header{Name: "a/b", Typeflag: tar.TypeReg, Size: 1, Mode: 0o600})
	_, _ = w.Write([]byte("x"))
	_ = w.WriteHeader(&tar.Header{Name: "a", Typeflag: tar.TypeSymlink, Linkname: "a/b"})
	_ = w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := New(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		seen := 0
		_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if seen++; seen > 10_000 {
				t.Fatalf("no end at %q", name)
			}
			if err == nil && d.Type().IsRegular() {
				if body, err := fs.ReadFile(files, name); err == nil && len(body) > len(data) {
					t.Fatalf("%q has %d bytes of %d", name, len(body), len(data))
				}
			}
			return nil
		})
	})
}
