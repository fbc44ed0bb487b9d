package interpreter

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stage is a directory to unpack into, and the one around it.
func stage(t *testing.T) (dst *os.Root, outside string) {
	t.Helper()
	outside = t.TempDir()
	inside := filepath.Join(outside, "inside")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	dst, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dst.Close() })
	return dst, outside
}

func TestPlanterLimit(t *testing.T) {
	const limit = 1 << 20
	all := func(string) bool { return true }
	for name, content := range map[string][]byte{
		"one file":       tarball(t, []tar.Header{{Name: "p/x", Typeflag: tar.TypeReg, Size: limit + 1}}),
		"several":        tarball(t, []tar.Header{{Name: "p/x", Typeflag: tar.TypeReg, Size: limit / 2}, {Name: "p/y", Typeflag: tar.TypeReg, Size: limit / 2}, {Name: "p/z", Typeflag: tar.TypeReg, Size: limit / 2}}),
		"what is beside": tarball(t, []tar.Header{{Name: "p/x", Typeflag: tar.TypeFifo}, {Name: "p/y", Typeflag: tar.TypeReg, Size: 2 * limit}}, "p/z=1"),
	} {
		dst, _ := stage(t)
		p := newPlanter(dst)
		p.limit = limit
		want := all
		if name == "what is beside" {
			want = func(name string) bool { return name == "z" }
		}
		wantUnavailable(t, p.tarball(t.Context(), bytes.NewReader(content), want), "larger")
		if p.bytes > limit {
			t.Errorf("%s: %d bytes were written", name, p.bytes)
		}
	}
	dst, _ := stage(t)
	p := newPlanter(dst)
	p.limit = limit
	content := wheel(t, "x="+strings.Repeat("\x00", limit), "y=1")
	wantUnavailable(t, p.zipped(t.Context(), bytes.NewReader(content), int64(len(content))), "larger")
}

func FuzzPlanter(f *testing.F) {
	f.Add([]byte("\x1f\x8b"))
	f.Add(tarball(f, []tar.Header{{Name: "p/l", Typeflag: tar.TypeSymlink, Linkname: ".."}}, "p/a=1", "p/l/b=2", "p/../../c=3"))
	f.Add(wheel(f, "a/b=1", "../c=2", "l=->.."))
	f.Fuzz(func(t *testing.T, archive []byte) {
		dst, outside := stage(t)
		r := strings.NewReader(string(archive))
		_ = newPlanter(dst).tarball(t.Context(), r, func(string) bool { return true })
		_ = newPlanter(dst).zipped(t.Context(), r, r.Size())
		if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
			t.Errorf("outside: %v, %v", left, err)
		}
	})
}
