package image

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/klauspost/compress/zstd"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// lay applies layers beside a sentinel, and checks that nothing but the tree
// was changed.
func lay(t testing.TB, limits staging.Limits, layers ...[]byte) (dir string, f *rootfs, err error) {
	t.Helper()
	top, err := os.MkdirTemp("", "lay")
	sourcetest.Must(t, err)
	t.Cleanup(func() { sourcetest.Must(t, os.RemoveAll(top)) })
	dir = filepath.Join(top, "in", "tree")
	sourcetest.Must(t, os.MkdirAll(dir, 0o755))
	for _, p := range []string{filepath.Join(top, "sentinel"), filepath.Join(top, "in", "sentinel")} {
		sourcetest.Must(t, os.WriteFile(p, []byte("untouched"), 0o644))
	}
	root, err := os.OpenRoot(dir)
	sourcetest.Must(t, err)
	defer root.Close()
	f = newRootfs("oci:x", root, limits)
	for _, data := range layers {
		if err = f.unpackLayer(t.Context(), bytes.NewReader(data), diffID(data)); err != nil {
			break
		}
	}
	want := map[string]string{"sentinel": "-rw-r--r-- untouched", "in/": "drwxr-xr-x", "in/sentinel": "-rw-r--r-- untouched", "in/tree/": "drwxr-xr-x"}
	sourcetest.Must(t, os.Rename(dir, top+"-moved"))
	t.Cleanup(func() { sourcetest.Must(t, os.RemoveAll(top+"-moved")) })
	sourcetest.Must(t, os.Mkdir(dir, 0o755))
	if diff := cmp.Diff(want, sourcetest.Listing(t, top)); diff != "" {
		t.Errorf("something outside the tree was touched (-want +got):\n%s", diff)
	}
	return top + "-moved", f, err
}

// diffID is the digest of a layer's uncompressed content.
func diffID(data []byte) v1.Hash {
	var plain bytes.Buffer
	if r, done, err := decompress(bytes.NewReader(data)); err == nil {
		_, _ = plain.ReadFrom(r)
		done()
	}
	sum := sha256.Sum256(plain.Bytes())
	return v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])}
}

func dirItem(name string) sourcetest.TarItem {
	return sourcetest.TarItem{Header: tar.Header{Name: name, Typeflag: tar.TypeDir, Mode: 0o755}}
}

func linkItem(name, target string) sourcetest.TarItem {
	return sourcetest.TarOther(name, tar.TypeSymlink, target)
}

// shownFile and shownDir are the lines of listing.
func shownFile(text string) string { return "-rw-r--r-- " + text }

const shownDir = "drwxr-xr-x"

func TestLayers(t *testing.T) {
	tests := []struct {
		name   string
		layers [][]byte
		want   map[string]string
	}{
		{"later wins", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("b", "1")), sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("./a", "2"))),
		}, map[string]string{"a": shownFile("2"), "b": shownFile("1")}},
		{"later wins in one layer", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("a", "2"))}, map[string]string{"a": shownFile("2")}},
		{"leading slash is the root", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("/a", "1"))}, map[string]string{"a": shownFile("1")}},
		{"whiteout", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("d/b", "1"), sourcetest.TarFile("d/c", "1"), sourcetest.TarFile("e/f", "1")),
			sourcetest.Tar(t, sourcetest.TarFile(".wh.a", ""), sourcetest.TarFile("d/.wh.b", ""), sourcetest.TarFile(".wh.e", ""), sourcetest.TarFile(".wh.never", ""), sourcetest.TarFile("gone/.wh.x", "")),
		}, map[string]string{"d/": shownDir, "d/c": shownFile("1")}},
		{"whiteout leaves what its own layer has", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("d/old", "1")),
			sourcetest.Tar(t, sourcetest.TarFile("a", "2"), sourcetest.TarFile(".wh.a", ""), sourcetest.TarFile("d/new", "2"), sourcetest.TarFile(".wh.d", "")),
		}, map[string]string{"a": shownFile("2"), "d/": shownDir, "d/new": shownFile("2")}},
		{"whiteout first", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("d/old", "1")),
			sourcetest.Tar(t, sourcetest.TarFile(".wh.a", ""), sourcetest.TarFile("a", "2"), sourcetest.TarFile(".wh.d", ""), sourcetest.TarFile("d/new", "2")),
		}, map[string]string{"a": shownFile("2"), "d/": shownDir, "d/new": shownFile("2")}},
		{"opaque last", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("d/old", "1"), sourcetest.TarFile("d/sub/old", "1"), sourcetest.TarFile("d/gone/old", "1"), sourcetest.TarFile("kept", "1")),
			sourcetest.Tar(t, dirItem("d/"), sourcetest.TarFile("d/new", "2"), sourcetest.TarFile("d/sub/new", "2"), sourcetest.TarFile("d/.wh..wh..opq", "")),
		}, map[string]string{"kept": shownFile("1"), "d/": shownDir, "d/new": shownFile("2"), "d/sub/": shownDir, "d/sub/new": shownFile("2")}},
		{"opaque first", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("d/old", "1")),
			sourcetest.Tar(t, sourcetest.TarFile("d/.wh..wh..opq", ""), sourcetest.TarFile("d/new", "2")),
		}, map[string]string{"d/": shownDir, "d/new": shownFile("2")}},
		{"opaque root", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("b/c", "1")), sourcetest.Tar(t, sourcetest.TarFile(".wh..wh..opq", ""), sourcetest.TarFile("n", "2")),
		}, map[string]string{"n": shownFile("2")}},
		{"removed and back", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("d/a", "1")), sourcetest.Tar(t, sourcetest.TarFile(".wh.d", "")), sourcetest.Tar(t, sourcetest.TarFile("d/b", "3")), sourcetest.Tar(t, sourcetest.TarFile("d/.wh..wh..opq", ""), sourcetest.TarFile("d/c", "4")),
		}, map[string]string{"d/": shownDir, "d/c": shownFile("4")}},
		{"a driver's notes", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", "1")), sourcetest.Tar(t, sourcetest.TarFile(".wh..wh.aufs", ""), dirItem(".wh..wh.plnk/"))}, map[string]string{"a": shownFile("1")}},
		{"file for directory", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("d/x/y", "1")), sourcetest.Tar(t, sourcetest.TarFile("d", "2"))}, map[string]string{"d": shownFile("2")}},
		{"directory for file", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("d", "1")), sourcetest.Tar(t, dirItem("d/"), sourcetest.TarFile("d/x", "2"))}, map[string]string{"d/": shownDir, "d/x": shownFile("2")}},
		{"directory for link", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("real/x", "1"), linkItem("d", "real")), sourcetest.Tar(t, dirItem("d/"), sourcetest.TarFile("d/y", "2")),
		}, map[string]string{"real/": shownDir, "real/x": shownFile("1"), "d/": shownDir, "d/y": shownFile("2")}},
		{"link for directory", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("d/x", "1")), sourcetest.Tar(t, linkItem("d", "/etc"))}, map[string]string{"d": "->/etc"}},
		{"file for link", [][]byte{sourcetest.Tar(t, linkItem("a", "/etc/passwd")), sourcetest.Tar(t, sourcetest.TarFile("a", "2"))}, map[string]string{"a": shownFile("2")}},
		{"directory again keeps its files", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("d/x", "1")), sourcetest.Tar(t, dirItem("d/"))}, map[string]string{"d/": shownDir, "d/x": shownFile("1")}},
		{"hard link then overwritten", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarOther("b", tar.TypeLink, "a")), sourcetest.Tar(t, sourcetest.TarFile("a", "2")),
		}, map[string]string{"a": shownFile("2"), "b": shownFile("1")}},
		{"hard link to a lower layer", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("d/a", "1")), sourcetest.Tar(t, sourcetest.TarOther("b", tar.TypeLink, "/d/a"))},
			map[string]string{"d/": shownDir, "d/a": shownFile("1"), "b": shownFile("1")}},
		{"hard link to itself", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarOther("a", tar.TypeLink, "a"))}, map[string]string{"a": shownFile("1")}},
		{"hard link to a link", [][]byte{sourcetest.Tar(t, linkItem("a", "/etc"), sourcetest.TarOther("b", tar.TypeLink, "a"))}, map[string]string{"a": "->/etc", "b": "->/etc"}},
		{"hard link whose namesake is removed", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarOther("b", tar.TypeLink, "a")), sourcetest.Tar(t, sourcetest.TarFile(".wh.a", "")),
		}, map[string]string{"b": shownFile("1")}},
		{"through a link", [][]byte{
			sourcetest.Tar(t, sourcetest.TarFile("usr/lib/x", "1"), linkItem("lib", "usr/lib")), sourcetest.Tar(t, sourcetest.TarFile("lib/y", "2"), sourcetest.TarFile("lib/.wh.x", "")),
		}, map[string]string{"usr/": shownDir, "usr/lib/": shownDir, "usr/lib/y": shownFile("2"), "lib": "->usr/lib"}},
		{"whiteout of a link", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("d/x", "1"), linkItem("l", "d")), sourcetest.Tar(t, sourcetest.TarFile(".wh.l", ""))},
			map[string]string{"d/": shownDir, "d/x": shownFile("1")}},
		{"link to /", [][]byte{
			sourcetest.Tar(t, linkItem("link", "/"), sourcetest.TarFile("etc/passwd", "1")), sourcetest.Tar(t, sourcetest.TarFile("link/etc/passwd", "2"), sourcetest.TarFile("link/etc/shadow", "2")),
		}, map[string]string{"link": "->/", "etc/": shownDir, "etc/passwd": shownFile("2"), "etc/shadow": shownFile("2")}},
		{"link far up", [][]byte{
			sourcetest.Tar(t, linkItem("d/link", "../../../../../..")), sourcetest.Tar(t, sourcetest.TarFile("d/link/sentinel", "2")),
		}, map[string]string{"d/": shownDir, "d/link": "->../../../../../..", "sentinel": shownFile("2")}},
		{"absolute link", [][]byte{
			sourcetest.Tar(t, linkItem("link", "/tmp/elsewhere")), sourcetest.Tar(t, sourcetest.TarFile("link/x", "2")),
		}, map[string]string{"link": "->/tmp/elsewhere", "tmp/": shownDir, "tmp/elsewhere/": shownDir, "tmp/elsewhere/x": shownFile("2")}},
		{"link to the parent, and whiteouts there", [][]byte{
			sourcetest.Tar(t, linkItem("link", ".."), sourcetest.TarFile("a", "1")), sourcetest.Tar(t, sourcetest.TarFile("link/.wh.sentinel", ""), sourcetest.TarFile("link/.wh.a", ""), sourcetest.TarFile("link/in/sentinel", "2")),
		}, map[string]string{"link": "->..", "in/": shownDir, "in/sentinel": shownFile("2")}},
		{"link into the host's proc", [][]byte{
			sourcetest.Tar(t, linkItem("link", "/proc/self/root"), sourcetest.TarFile("link/a", "1")),
		}, map[string]string{"link": "->/proc/self/root", "proc/": shownDir, "proc/self/": shownDir, "proc/self/root/": shownDir, "proc/self/root/a": shownFile("1")}},
		{"write over a link of the same layer", [][]byte{sourcetest.Tar(t, linkItem("a", "/etc/passwd"), sourcetest.TarFile("a", "mine"))}, map[string]string{"a": shownFile("mine")}},
		{"backslash", [][]byte{sourcetest.Tar(t, sourcetest.TarFile(`system-x\x2dy.slice`, "1"), sourcetest.TarFile("c:x", "1"))}, map[string]string{`system-x\x2dy.slice`: shownFile("1"), "c:x": shownFile("1")}},
		{"case matters", [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", "1"), sourcetest.TarFile("A", "2"))}, map[string]string{"a": shownFile("1"), "A": shownFile("2")}},
		{"nothing", [][]byte{{}, sourcetest.Tar(t)}, map[string]string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, f, err := lay(t, limits(), test.layers...)
			sourcetest.Must(t, err)
			if diff := cmp.Diff(test.want, sourcetest.Listing(t, dir)); diff != "" {
				t.Errorf("tree differs (-want +got):\n%s", diff)
			}
			if facts := f.u.Facts(); len(facts) != 0 {
				t.Errorf("facts are %v", facts)
			}
			files := 0
			for _, shown := range test.want {
				if strings.HasPrefix(shown, "-r") {
					files++
				}
			}
			if got, _ := f.count(); got != files {
				t.Errorf("%d files counted, want %d", got, files)
			}
		})
	}
}

func TestLayerRefusals(t *testing.T) {
	tests := []struct {
		name  string
		items []sourcetest.TarItem
		path  string
		why   string
		more  map[string]string
	}{
		{"climbs", []sourcetest.TarItem{sourcetest.TarFile("../sentinel", "evil")}, "../sentinel", "leads upwards", nil},
		{"climbs inside", []sourcetest.TarItem{sourcetest.TarFile("a/../../sentinel", "evil")}, "a/../../sentinel", "leads upwards", nil},
		{"climbs from the root", []sourcetest.TarItem{sourcetest.TarFile("/../sentinel", "evil")}, "/../sentinel", "leads upwards", nil},
		{"control characters", []sourcetest.TarItem{sourcetest.TarFile("a\x1b[2J", "evil")}, "a [2J", "control characters", nil},
		{"too long", []sourcetest.TarItem{sourcetest.TarFile(strings.Repeat("a", 300), "")}, strings.Repeat("a", 200), "too long", nil},
		{"path too long", []sourcetest.TarItem{dirItem(strings.Repeat("a/", 600))}, strings.Repeat("a/", 100), "too long", nil},
		{"hard link out", []sourcetest.TarItem{sourcetest.TarOther("h", tar.TypeLink, "../sentinel")}, "h", "hard link out of the image", nil},
		{"hard link to nothing", []sourcetest.TarItem{sourcetest.TarOther("h", tar.TypeLink, "/etc/passwd")}, "h", "no earlier file", nil},
		{"hard link to a directory", []sourcetest.TarItem{dirItem("d/"), sourcetest.TarOther("h", tar.TypeLink, "d")}, "h", "no earlier file", map[string]string{"d/": shownDir}},
		{"hard link through a link", []sourcetest.TarItem{linkItem("l", ".."), sourcetest.TarOther("h", tar.TypeLink, "l/sentinel")}, "h", "no earlier file", map[string]string{"l": "->.."}},
		{"hard link over its target", []sourcetest.TarItem{sourcetest.TarFile("d/x", "1"), sourcetest.TarOther("d", tar.TypeLink, "d/x")}, "d", "whose place it takes", map[string]string{"d/": shownDir, "d/x": shownFile("1")}},
		{"circle", []sourcetest.TarItem{linkItem("a", "b"), linkItem("b", "a"), sourcetest.TarFile("a/x", "")}, "a/x", "in a circle", map[string]string{"a": "->b", "b": "->a"}},
		{"below a file", []sourcetest.TarItem{sourcetest.TarFile("f", "1"), sourcetest.TarFile("f/x", "")}, "f/x", "no directory", map[string]string{"f": shownFile("1")}},
		{"link to nothing", []sourcetest.TarItem{linkItem("l", "")}, "l", "to nothing", nil},
		{"link with control characters", []sourcetest.TarItem{linkItem("l", "a\nb")}, "l", "control characters", nil},
		{"whiteout of the directory", []sourcetest.TarItem{sourcetest.TarFile("d/a", "1"), sourcetest.TarFile("d/.wh.", "")}, "d/.wh.", "the directory it is in", map[string]string{"d/": shownDir, "d/a": shownFile("1")}},
		{"whiteout of .", []sourcetest.TarItem{sourcetest.TarFile("d/a", "1"), sourcetest.TarFile("d/.wh..", "")}, "d/.wh..", "the directory it is in", map[string]string{"d/": shownDir, "d/a": shownFile("1")}},
		{"whiteout of ..", []sourcetest.TarItem{sourcetest.TarFile("d/a", "1"), sourcetest.TarFile("d/.wh...", "")}, "d/.wh...", "or the one above", map[string]string{"d/": shownDir, "d/a": shownFile("1")}},
		{"below a whiteout", []sourcetest.TarItem{sourcetest.TarFile(".wh.d/x", "")}, ".wh.d/x", "mark for removed files", nil},
		{"the root as a link", []sourcetest.TarItem{linkItem("./", "/etc")}, "./", "place of the tree", nil},
		{"unknown kind", []sourcetest.TarItem{sourcetest.TarOther("u", 'Z', "")}, "u", "unknown kind", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, f, err := lay(t, limits(), sourcetest.Tar(t, append([]sourcetest.TarItem{sourcetest.TarFile("good", "1")}, test.items...)...))
			sourcetest.Must(t, err)
			facts := f.u.Facts()
			if len(facts) != 1 || facts[0].Kind != archive.FactRefused || facts[0].Path != test.path || !strings.Contains(facts[0].Text, test.why) {
				t.Errorf("facts are %+v, want %q: %q", facts, test.path, test.why)
			}
			want := map[string]string{"good": shownFile("1")}
			maps.Copy(want, test.more)
			if diff := cmp.Diff(want, sourcetest.Listing(t, dir)); diff != "" {
				t.Errorf("tree differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLayerModesAndTimes(t *testing.T) {
	when := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
	with := func(name string, mode int64) sourcetest.TarItem {
		return sourcetest.TarItem{Header: tar.Header{Name: name, Mode: mode, ModTime: when, PAXRecords: map[string]string{"SCHILY.xattr.user.x": "y"}}, Text: "x"}
	}
	folderWith := func(name string, mode int64) sourcetest.TarItem {
		return sourcetest.TarItem{Header: tar.Header{Name: name, Mode: mode, Typeflag: tar.TypeDir}}
	}
	dir, f, err := lay(t, limits(), sourcetest.Tar(t,
		with("secret", 0o600), with("program", 0o700), with("suid", 0o6755), with("none", 0o001),
		folderWith("closed/", 0o700), folderWith("tmp/", 0o1777), folderWith("setgid/", 0o2750),
		sourcetest.TarOther("dev/null", tar.TypeChar, ""), sourcetest.TarOther("dev/sda", tar.TypeBlock, ""), sourcetest.TarOther("fifo", tar.TypeFifo, ""), sourcetest.TarFile("bad\xffname", "")))
	sourcetest.Must(t, err)
	want := map[string]string{
		"secret": "-rw-r--r-- x", "program": "-rwxr-xr-x x", "suid": "-rwxr-xr-x x", "none": "-r-xr-xr-x x",
		"closed/": "drwxr-xr-x", "tmp/": "dtrwxrwxrwx", "setgid/": "drwxr-xr-x",
	}
	if diff := cmp.Diff(want, sourcetest.Listing(t, dir)); diff != "" {
		t.Errorf("tree differs (-want +got):\n%s", diff)
	}
	info, err := os.Stat(filepath.Join(dir, "secret"))
	sourcetest.Must(t, err)
	if !info.ModTime().Equal(when) {
		t.Errorf("the time is %s", info.ModTime())
	}
	if f.skipped != 3 || f.firstSkipped != "dev/null" || len(f.u.Facts()) != 0 {
		t.Errorf("%d skipped, first %q, facts %v", f.skipped, f.firstSkipped, f.u.Facts())
	}
}

func TestLayerLimits(t *testing.T) {
	small := staging.Limits{MaxBytes: 1 << 20, MaxFiles: 100, MaxDepth: 10}
	many := func(n int) []sourcetest.TarItem {
		var items []sourcetest.TarItem
		for i := range n {
			items = append(items, sourcetest.TarFile(fmt.Sprint(i), ""))
		}
		return items
	}
	deep := sourcetest.TarItem{Header: tar.Header{Name: strings.Repeat("d/", 10) + "x"}}
	bomb := sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("zeros", strings.Repeat("\x00", 20<<20))))
	for _, test := range []struct {
		name   string
		limits staging.Limits
		layers [][]byte
		want   string
	}{
		{"entries", small, [][]byte{sourcetest.Tar(t, many(101)...)}, "more than 100 entries"},
		{"entries over layers", small, [][]byte{sourcetest.Tar(t, many(60)...), sourcetest.Tar(t, many(60)...)}, "more than 100 entries"},
		{"directories nobody named", small, [][]byte{sourcetest.Tar(t, func() []sourcetest.TarItem {
			var items []sourcetest.TarItem
			for i := range 30 {
				items = append(items, sourcetest.TarFile(fmt.Sprintf("%d/b/c/d/e", i), ""))
			}
			return items
		}()...)}, "more than 100 entries"},
		{"depth", small, [][]byte{sourcetest.Tar(t, deep)}, "deeper than 10"},
		{"depth through a link", small, [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a/b/c/d/e/f/g/h/i", ""), linkItem("l", "a/b/c/d/e/f/g/h"), dirItem("l/j/k/l/m/"))}, "deeper than 10"},
		{"bytes", small, [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", strings.Repeat("x", 600<<10)), sourcetest.TarFile("b", strings.Repeat("x", 600<<10)))}, "more than 1.0 MiB"},
		{"bytes over layers", small, [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", strings.Repeat("x", 600<<10))), sourcetest.Tar(t, sourcetest.TarFile("a", strings.Repeat("x", 600<<10)))}, "more than 1.0 MiB"},
		{"gzip bomb", limits(), [][]byte{bomb}, "made to fill the disk"},
		{"zstd bomb", limits(), [][]byte{zst(t, sourcetest.Tar(t, sourcetest.TarFile("zeros", strings.Repeat("\x00", 20<<20))))}, "made to fill the disk"},
		{"bomb behind the end", limits(), [][]byte{sourcetest.Gzip(t, append(sourcetest.Tar(t, sourcetest.TarFile("a", "")), make([]byte, 20<<20)...))}, "made to fill the disk"},
		{"cut short", small, [][]byte{sourcetest.Tar(t, sourcetest.TarFile("a", strings.Repeat("x", 5000)))[:2000]}, "cut short"},
		{"gzip cut short", small, [][]byte{sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("a", "x")))[:40]}, "cut short"},
		{"no tar", small, [][]byte{bytes.Repeat([]byte("nonsense"), 200)}, "damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := lay(t, test.limits, test.layers...)
			sourcetest.WantUsage(t, err, test.want)
		})
	}
}

func TestLayerSparse(t *testing.T) {
	huge := append(sourcetest.RawTar(t, "s", 'S', "00000000000\x00", func(h []byte) {
		copy(h[257:265], "ustar  \x00")
		clear(h[345:512])
		copy(h[483:495], "77777777777\x00") // the size it claims
		copy(h[386:398], "77777777777\x00") // one empty piece, at its end
		copy(h[398:410], "00000000000\x00")
	}), sourcetest.Tar(t, sourcetest.TarFile("good", "1"))...)
	dir, f, err := lay(t, limits(), huge)
	sourcetest.Must(t, err)
	if facts := f.u.Facts(); len(facts) != 1 || !strings.Contains(facts[0].Text, "sparse") || len(sourcetest.Listing(t, dir)) != 1 {
		t.Errorf("facts are %v", facts)
	}
}

func TestLayerDigest(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	sourcetest.Must(t, err)
	defer root.Close()
	f := newRootfs("oci:x", root, limits())
	err = f.unpackLayer(t.Context(), bytes.NewReader(sourcetest.Tar(t, sourcetest.TarFile("a", "1"))), diffID(sourcetest.Tar(t, sourcetest.TarFile("a", "2"))))
	sourcetest.WantUsage(t, err, "layer 1 has the digest")
}

func TestLayerCompression(t *testing.T) {
	plain := sourcetest.Tar(t, sourcetest.TarFile("a", strings.Repeat("x", 100_000)))
	for name, data := range map[string][]byte{"plain": plain, "gzip": sourcetest.Gzip(t, plain), "zstd": zst(t, plain), "two gzip members": append(sourcetest.Gzip(t, plain[:1000]), sourcetest.Gzip(t, plain[1000:])...)} {
		t.Run(name, func(t *testing.T) {
			dir, _, err := lay(t, limits(), data)
			sourcetest.Must(t, err)
			if got := sourcetest.Listing(t, dir)["a"]; len(got) != 100_000+len("-rw-r--r-- ") {
				t.Errorf("%d bytes", len(got))
			}
		})
	}
}

// TestOpaqueIsCheap: each directory is cleared once, so that a layer of nothing
// but whiteouts stays far below the limit on steps.
func TestOpaqueIsCheap(t *testing.T) {
	var items []sourcetest.TarItem
	for i := range 8_000 {
		items = append(items, sourcetest.TarFile(fmt.Sprintf("d/%d", i), ""))
	}
	for range 8_000 {
		items = append(items, sourcetest.TarFile("d/.wh..wh..opq", ""))
	}
	dir, _, err := lay(t, limits(), sourcetest.Tar(t, sourcetest.TarFile("d/old", "")), sourcetest.Tar(t, items...))
	sourcetest.Must(t, err)
	if got := sourcetest.Listing(t, dir); len(got) != 8_001 {
		t.Errorf("%d entries", len(got))
	}
}

func TestLayerEntangledLinks(t *testing.T) {
	// Each entry goes through 40 links of 500 steps each.
	var items []sourcetest.TarItem
	for i := range 40 {
		items = append(items, linkItem(fmt.Sprintf("l%d", i), strings.Repeat("./", 500)+fmt.Sprintf("l%d", i+1)))
	}
	items = append(items, dirItem("l40/"))
	for i := range 3000 {
		items = append(items, sourcetest.TarFile(fmt.Sprintf("l0/%d", i), ""))
	}
	_, _, err := lay(t, limits(), sourcetest.Tar(t, items...))
	sourcetest.WantUsage(t, err, "too entangled")
}

func TestLayerCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	root, err := os.OpenRoot(t.TempDir())
	sourcetest.Must(t, err)
	defer root.Close()
	data := sourcetest.Tar(t, sourcetest.TarFile("a", "1"))
	err = newRootfs("oci:x", root, limits()).unpackLayer(ctx, bytes.NewReader(data), diffID(data))
	if mcpsf.ErrorCode(err) == mcpsf.CodeUsage || err == nil {
		t.Errorf("error is %v, want the context's", err)
	}
}

func zst(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	sourcetest.Must(t, err)
	defer w.Close()
	return w.EncodeAll(data, nil)
}

func FuzzLayer(f *testing.F) {
	first := sourcetest.Tar(f, sourcetest.TarFile("a", "1"), linkItem("l", ".."), linkItem("abs", "/"), sourcetest.TarFile("d/x", "1"), sourcetest.TarOther("h", tar.TypeLink, "a"))
	f.Add(sourcetest.Tar(f, sourcetest.TarFile("l/a", "2"), sourcetest.TarFile("abs/d/.wh.x", ""), sourcetest.TarFile("d/.wh..wh..opq", "")))
	f.Add(sourcetest.Tar(f, sourcetest.TarFile("../x", ""), sourcetest.TarOther("y", tar.TypeLink, "../x"), sourcetest.TarFile(".wh...", "")))
	f.Add(sourcetest.Gzip(f, sourcetest.Tar(f, dirItem("a/"), sourcetest.TarFile("a/b", ""), linkItem("a", "l"))))
	f.Add(zst(f, sourcetest.Tar(f, sourcetest.TarOther("d", tar.TypeLink, "d/x"), sourcetest.TarFile("d", ""))))
	f.Fuzz(func(t *testing.T, data []byte) { layAndCompare(t, first, data, data) })
}

// FuzzLayerEntries makes layers of conflicting entries: three bytes are type,
// name and target of one.
func FuzzLayerEntries(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x02\x03\x00\x05\x00\x00\x01\x04\x02"))
	f.Add([]byte("\x02\x03\x00\x00\x09\x00\x05\x00\x00\x03\x04\x03\x01\x05\x00"))
	names := []string{
		"a", "b", "a/b", "a/b/c", "b/c", "a/../b", "../sentinel", ".wh.a", ".wh.b", "a/.wh.b", "a/b/.wh.c", "a/.wh..wh..opq",
		".wh..wh..opq", "b/.wh..wh..opq", "a/.wh...", "/.", "/etc/passwd", "a/sentinel", "b/in/sentinel", ".wh.a/b", "b/a/b", "a/a",
	}
	targets := []string{"a", "b", "..", "/", "../..", "a/b", "/a", "b/c", "../sentinel", ".", "/etc", "../../in", "nowhere/deep", "a/b/../../.."}
	kinds := []byte{tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeLink, tar.TypeChar}
	f.Fuzz(func(t *testing.T, data []byte) {
		var layers [][]byte
		var items []sourcetest.TarItem
		for ; len(data) >= 3 && len(data) < 300; data = data[3:] {
			kind := int(data[0]) % (len(kinds) + 1)
			if kind == len(kinds) {
				layers, items = append(layers, sourcetest.Tar(t, items...)), nil
				continue
			}
			i := sourcetest.TarOther(names[int(data[1])%len(names)], kinds[kind], targets[int(data[2])%len(targets)])
			switch kinds[kind] {
			case tar.TypeReg, tar.TypeChar:
				i.Linkname = ""
			case tar.TypeDir:
				i.Linkname, i.Name = "", i.Name+"/"
			}
			items = append(items, i)
		}
		layAndCompare(t, append(layers, sourcetest.Tar(t, items...))...)
	})
}

// layAndCompare checks that the disk equals the tree in memory.
func layAndCompare(t *testing.T, layers ...[]byte) {
	t.Helper()
	dir, fs, err := lay(t, staging.Limits{MaxBytes: 1 << 20, MaxFiles: 500, MaxDepth: 20}, layers...)
	if err != nil {
		sourcetest.WantUsage(t, err)
		return
	}
	want := map[string]string{}
	var show func(n *node)
	show = func(n *node) {
		for name, c := range n.children {
			if c.name != name || c.parent != n {
				t.Errorf("%s is in %s as %s", c.path(), n.path(), name)
			}
			switch {
			case c.isDir():
				want[c.path()+"/"] = "directory"
				show(c)
			case c.isLink():
				want[c.path()] = "->" + c.target
			default:
				want[c.path()] = "file"
			}
		}
	}
	show(fs.root)
	got := sourcetest.Listing(t, dir)
	for name, shown := range got {
		switch {
		case shown[0] == 'd':
			got[name] = "directory"
		case !strings.HasPrefix(shown, "->"):
			got[name] = "file"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("memory and disk differ (-memory +disk):\n%s", diff)
	}
}
