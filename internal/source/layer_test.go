package source

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
)

// lay unpacks layers over each other beside a sentinel, and makes sure that
// nothing but the tree was touched.
func lay(t testing.TB, opts Options, layers ...[]byte) (dir string, f *rootfs, err error) {
	t.Helper()
	top, err := os.MkdirTemp("", "lay")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(top)) })
	dir = filepath.Join(top, "in", "tree")
	must(t, os.MkdirAll(dir, 0o755))
	for _, p := range []string{filepath.Join(top, "sentinel"), filepath.Join(top, "in", "sentinel")} {
		must(t, os.WriteFile(p, []byte("untouched"), 0o644))
	}
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	f = newRootfs("oci:x", root, opts)
	for _, data := range layers {
		if err = f.unpackLayer(t.Context(), bytes.NewReader(data), diffID(data)); err != nil {
			break
		}
	}
	want := map[string]string{"sentinel": "-rw-r--r-- untouched", "in/": "drwxr-xr-x", "in/sentinel": "-rw-r--r-- untouched", "in/tree/": "drwxr-xr-x"}
	must(t, os.Rename(dir, top+"-moved"))
	t.Cleanup(func() { must(t, os.RemoveAll(top+"-moved")) })
	must(t, os.Mkdir(dir, 0o755))
	if diff := cmp.Diff(want, listing(t, top)); diff != "" {
		t.Errorf("something outside the tree was touched (-want +got):\n%s", diff)
	}
	return top + "-moved", f, err
}

// diffID is the digest of what is in a layer, however it is compressed.
func diffID(data []byte) v1.Hash {
	var plain bytes.Buffer
	if r, done, err := decompress(bytes.NewReader(data)); err == nil {
		_, _ = plain.ReadFrom(r)
		done()
	}
	sum := sha256.Sum256(plain.Bytes())
	return v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])}
}

func dirItem(name string) tarItem {
	return tarItem{Header: tar.Header{Name: name, Typeflag: tar.TypeDir, Mode: 0o755}}
}

func linkItem(name, target string) tarItem { return odd(name, tar.TypeSymlink, target) }

// shownFile and shownDir are what listing shows of them.
func shownFile(text string) string { return "-rw-r--r-- " + text }

const shownDir = "drwxr-xr-x"

func TestLayers(t *testing.T) {
	tests := []struct {
		name   string
		layers [][]byte
		want   map[string]string
	}{
		{"later wins", [][]byte{
			tarOf(t, item("a", "1"), item("b", "1")), gz(t, tarOf(t, item("./a", "2"))),
		}, map[string]string{"a": shownFile("2"), "b": shownFile("1")}},
		{"later wins in one layer", [][]byte{tarOf(t, item("a", "1"), item("a", "2"))}, map[string]string{"a": shownFile("2")}},
		{"leading slash is the root", [][]byte{tarOf(t, item("/a", "1"))}, map[string]string{"a": shownFile("1")}},
		{"whiteout", [][]byte{
			tarOf(t, item("a", "1"), item("d/b", "1"), item("d/c", "1"), item("e/f", "1")),
			tarOf(t, item(".wh.a", ""), item("d/.wh.b", ""), item(".wh.e", ""), item(".wh.never", ""), item("gone/.wh.x", "")),
		}, map[string]string{"d/": shownDir, "d/c": shownFile("1")}},
		{"whiteout leaves what its own layer has", [][]byte{
			tarOf(t, item("a", "1"), item("d/old", "1")),
			tarOf(t, item("a", "2"), item(".wh.a", ""), item("d/new", "2"), item(".wh.d", "")),
		}, map[string]string{"a": shownFile("2"), "d/": shownDir, "d/new": shownFile("2")}},
		{"whiteout first", [][]byte{
			tarOf(t, item("a", "1"), item("d/old", "1")),
			tarOf(t, item(".wh.a", ""), item("a", "2"), item(".wh.d", ""), item("d/new", "2")),
		}, map[string]string{"a": shownFile("2"), "d/": shownDir, "d/new": shownFile("2")}},
		{"opaque last", [][]byte{
			tarOf(t, item("d/old", "1"), item("d/sub/old", "1"), item("d/gone/old", "1"), item("kept", "1")),
			tarOf(t, dirItem("d/"), item("d/new", "2"), item("d/sub/new", "2"), item("d/.wh..wh..opq", "")),
		}, map[string]string{"kept": shownFile("1"), "d/": shownDir, "d/new": shownFile("2"), "d/sub/": shownDir, "d/sub/new": shownFile("2")}},
		{"opaque first", [][]byte{
			tarOf(t, item("d/old", "1")),
			tarOf(t, item("d/.wh..wh..opq", ""), item("d/new", "2")),
		}, map[string]string{"d/": shownDir, "d/new": shownFile("2")}},
		{"opaque root", [][]byte{
			tarOf(t, item("a", "1"), item("b/c", "1")), tarOf(t, item(".wh..wh..opq", ""), item("n", "2")),
		}, map[string]string{"n": shownFile("2")}},
		{"removed and back", [][]byte{
			tarOf(t, item("d/a", "1")), tarOf(t, item(".wh.d", "")), tarOf(t, item("d/b", "3")), tarOf(t, item("d/.wh..wh..opq", ""), item("d/c", "4")),
		}, map[string]string{"d/": shownDir, "d/c": shownFile("4")}},
		{"a driver's notes", [][]byte{tarOf(t, item("a", "1")), tarOf(t, item(".wh..wh.aufs", ""), dirItem(".wh..wh.plnk/"))}, map[string]string{"a": shownFile("1")}},
		{"file for directory", [][]byte{tarOf(t, item("d/x/y", "1")), tarOf(t, item("d", "2"))}, map[string]string{"d": shownFile("2")}},
		{"directory for file", [][]byte{tarOf(t, item("d", "1")), tarOf(t, dirItem("d/"), item("d/x", "2"))}, map[string]string{"d/": shownDir, "d/x": shownFile("2")}},
		{"directory for link", [][]byte{
			tarOf(t, item("real/x", "1"), linkItem("d", "real")), tarOf(t, dirItem("d/"), item("d/y", "2")),
		}, map[string]string{"real/": shownDir, "real/x": shownFile("1"), "d/": shownDir, "d/y": shownFile("2")}},
		{"link for directory", [][]byte{tarOf(t, item("d/x", "1")), tarOf(t, linkItem("d", "/etc"))}, map[string]string{"d": "->/etc"}},
		{"file for link", [][]byte{tarOf(t, linkItem("a", "/etc/passwd")), tarOf(t, item("a", "2"))}, map[string]string{"a": shownFile("2")}},
		{"directory again keeps its files", [][]byte{tarOf(t, item("d/x", "1")), tarOf(t, dirItem("d/"))}, map[string]string{"d/": shownDir, "d/x": shownFile("1")}},
		{"hard link then overwritten", [][]byte{
			tarOf(t, item("a", "1"), odd("b", tar.TypeLink, "a")), tarOf(t, item("a", "2")),
		}, map[string]string{"a": shownFile("2"), "b": shownFile("1")}},
		{"hard link to a lower layer", [][]byte{tarOf(t, item("d/a", "1")), tarOf(t, odd("b", tar.TypeLink, "/d/a"))},
			map[string]string{"d/": shownDir, "d/a": shownFile("1"), "b": shownFile("1")}},
		{"hard link to itself", [][]byte{tarOf(t, item("a", "1"), odd("a", tar.TypeLink, "a"))}, map[string]string{"a": shownFile("1")}},
		{"hard link to a link", [][]byte{tarOf(t, linkItem("a", "/etc"), odd("b", tar.TypeLink, "a"))}, map[string]string{"a": "->/etc", "b": "->/etc"}},
		{"hard link whose namesake is removed", [][]byte{
			tarOf(t, item("a", "1"), odd("b", tar.TypeLink, "a")), tarOf(t, item(".wh.a", "")),
		}, map[string]string{"b": shownFile("1")}},
		{"through a link", [][]byte{
			tarOf(t, item("usr/lib/x", "1"), linkItem("lib", "usr/lib")), tarOf(t, item("lib/y", "2"), item("lib/.wh.x", "")),
		}, map[string]string{"usr/": shownDir, "usr/lib/": shownDir, "usr/lib/y": shownFile("2"), "lib": "->usr/lib"}},
		{"whiteout of a link", [][]byte{tarOf(t, item("d/x", "1"), linkItem("l", "d")), tarOf(t, item(".wh.l", ""))},
			map[string]string{"d/": shownDir, "d/x": shownFile("1")}},
		{"link to /", [][]byte{
			tarOf(t, linkItem("link", "/"), item("etc/passwd", "1")), tarOf(t, item("link/etc/passwd", "2"), item("link/etc/shadow", "2")),
		}, map[string]string{"link": "->/", "etc/": shownDir, "etc/passwd": shownFile("2"), "etc/shadow": shownFile("2")}},
		{"link far up", [][]byte{
			tarOf(t, linkItem("d/link", "../../../../../..")), tarOf(t, item("d/link/sentinel", "2")),
		}, map[string]string{"d/": shownDir, "d/link": "->../../../../../..", "sentinel": shownFile("2")}},
		{"absolute link", [][]byte{
			tarOf(t, linkItem("link", "/tmp/elsewhere")), tarOf(t, item("link/x", "2")),
		}, map[string]string{"link": "->/tmp/elsewhere", "tmp/": shownDir, "tmp/elsewhere/": shownDir, "tmp/elsewhere/x": shownFile("2")}},
		{"link to the parent, and whiteouts there", [][]byte{
			tarOf(t, linkItem("link", ".."), item("a", "1")), tarOf(t, item("link/.wh.sentinel", ""), item("link/.wh.a", ""), item("link/in/sentinel", "2")),
		}, map[string]string{"link": "->..", "in/": shownDir, "in/sentinel": shownFile("2")}},
		{"link into the host's proc", [][]byte{
			tarOf(t, linkItem("link", "/proc/self/root"), item("link/a", "1")),
		}, map[string]string{"link": "->/proc/self/root", "proc/": shownDir, "proc/self/": shownDir, "proc/self/root/": shownDir, "proc/self/root/a": shownFile("1")}},
		{"write over a link of the same layer", [][]byte{tarOf(t, linkItem("a", "/etc/passwd"), item("a", "mine"))}, map[string]string{"a": shownFile("mine")}},
		{"backslash", [][]byte{tarOf(t, item(`system-x\x2dy.slice`, "1"), item("c:x", "1"))}, map[string]string{`system-x\x2dy.slice`: shownFile("1"), "c:x": shownFile("1")}},
		{"case matters", [][]byte{tarOf(t, item("a", "1"), item("A", "2"))}, map[string]string{"a": shownFile("1"), "A": shownFile("2")}},
		{"nothing", [][]byte{{}, tarOf(t)}, map[string]string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, f, err := lay(t, imageLimits(Options{}), test.layers...)
			must(t, err)
			if diff := cmp.Diff(test.want, listing(t, dir)); diff != "" {
				t.Errorf("tree differs (-want +got):\n%s", diff)
			}
			if facts := f.u.allFacts(); len(facts) != 0 {
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
		items []tarItem
		path  string
		why   string
		more  map[string]string
	}{
		{"climbs", []tarItem{item("../sentinel", "evil")}, "../sentinel", "leads upwards", nil},
		{"climbs inside", []tarItem{item("a/../../sentinel", "evil")}, "a/../../sentinel", "leads upwards", nil},
		{"climbs from the root", []tarItem{item("/../sentinel", "evil")}, "/../sentinel", "leads upwards", nil},
		{"control characters", []tarItem{item("a\x1b[2J", "evil")}, "a [2J", "control characters", nil},
		{"too long", []tarItem{item(strings.Repeat("a", 300), "")}, strings.Repeat("a", 200), "too long", nil},
		{"path too long", []tarItem{dirItem(strings.Repeat("a/", 600))}, strings.Repeat("a/", 100), "too long", nil},
		{"hard link out", []tarItem{odd("h", tar.TypeLink, "../sentinel")}, "h", "hard link out of the image", nil},
		{"hard link to nothing", []tarItem{odd("h", tar.TypeLink, "/etc/passwd")}, "h", "no earlier file", nil},
		{"hard link to a directory", []tarItem{dirItem("d/"), odd("h", tar.TypeLink, "d")}, "h", "no earlier file", map[string]string{"d/": shownDir}},
		{"hard link through a link", []tarItem{linkItem("l", ".."), odd("h", tar.TypeLink, "l/sentinel")}, "h", "no earlier file", map[string]string{"l": "->.."}},
		{"hard link over its target", []tarItem{item("d/x", "1"), odd("d", tar.TypeLink, "d/x")}, "d", "whose place it takes", map[string]string{"d/": shownDir, "d/x": shownFile("1")}},
		{"circle", []tarItem{linkItem("a", "b"), linkItem("b", "a"), item("a/x", "")}, "a/x", "in a circle", map[string]string{"a": "->b", "b": "->a"}},
		{"below a file", []tarItem{item("f", "1"), item("f/x", "")}, "f/x", "no directory", map[string]string{"f": shownFile("1")}},
		{"link to nothing", []tarItem{linkItem("l", "")}, "l", "to nothing", nil},
		{"link with control characters", []tarItem{linkItem("l", "a\nb")}, "l", "control characters", nil},
		{"whiteout of the directory", []tarItem{item("d/a", "1"), item("d/.wh.", "")}, "d/.wh.", "the directory it is in", map[string]string{"d/": shownDir, "d/a": shownFile("1")}},
		{"whiteout of .", []tarItem{item("d/a", "1"), item("d/.wh..", "")}, "d/.wh..", "the directory it is in", map[string]string{"d/": shownDir, "d/a": shownFile("1")}},
		{"whiteout of ..", []tarItem{item("d/a", "1"), item("d/.wh...", "")}, "d/.wh...", "or the one above", map[string]string{"d/": shownDir, "d/a": shownFile("1")}},
		{"below a whiteout", []tarItem{item(".wh.d/x", "")}, ".wh.d/x", "mark for removed files", nil},
		{"the root as a link", []tarItem{linkItem("./", "/etc")}, "./", "place of the tree", nil},
		{"unknown kind", []tarItem{odd("u", 'Z', "")}, "u", "unknown kind", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, f, err := lay(t, imageLimits(Options{}), tarOf(t, append([]tarItem{item("good", "1")}, test.items...)...))
			must(t, err)
			facts := f.u.allFacts()
			if len(facts) != 1 || facts[0].Kind != FactRefused || facts[0].Path != test.path || !strings.Contains(facts[0].Text, test.why) {
				t.Errorf("facts are %q, want %q: %q", facts, test.path, test.why)
			}
			want := map[string]string{"good": shownFile("1")}
			maps.Copy(want, test.more)
			if diff := cmp.Diff(want, listing(t, dir)); diff != "" {
				t.Errorf("tree differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLayerModesAndTimes(t *testing.T) {
	when := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
	with := func(name string, mode int64) tarItem {
		return tarItem{Header: tar.Header{Name: name, Mode: mode, ModTime: when, PAXRecords: map[string]string{"SCHILY.xattr.user.x": "y"}}, text: "x"}
	}
	folderWith := func(name string, mode int64) tarItem {
		return tarItem{Header: tar.Header{Name: name, Mode: mode, Typeflag: tar.TypeDir}}
	}
	dir, f, err := lay(t, imageLimits(Options{}), tarOf(t,
		with("secret", 0o600), with("program", 0o700), with("suid", 0o6755), with("none", 0o001),
		folderWith("closed/", 0o700), folderWith("tmp/", 0o1777), folderWith("setgid/", 0o2750),
		odd("dev/null", tar.TypeChar, ""), odd("dev/sda", tar.TypeBlock, ""), odd("fifo", tar.TypeFifo, ""), item("bad\xffname", "")))
	must(t, err)
	want := map[string]string{
		"secret": "-rw-r--r-- x", "program": "-rwxr-xr-x x", "suid": "-rwxr-xr-x x", "none": "-r-xr-xr-x x",
		"closed/": "drwxr-xr-x", "tmp/": "dtrwxrwxrwx", "setgid/": "drwxr-xr-x",
	}
	if diff := cmp.Diff(want, listing(t, dir)); diff != "" {
		t.Errorf("tree differs (-want +got):\n%s", diff)
	}
	info, err := os.Stat(filepath.Join(dir, "secret"))
	must(t, err)
	if !info.ModTime().Equal(when) {
		t.Errorf("the time is %s", info.ModTime())
	}
	if f.skipped != 3 || f.firstSkipped != "dev/null" || len(f.u.allFacts()) != 0 {
		t.Errorf("%d skipped, first %q, facts %v", f.skipped, f.firstSkipped, f.u.allFacts())
	}
}

func TestLayerLimits(t *testing.T) {
	small := Options{MaxBytes: 1 << 20, MaxFiles: 100, MaxDepth: 10}
	many := func(n int) []tarItem {
		var items []tarItem
		for i := range n {
			items = append(items, item(fmt.Sprint(i), ""))
		}
		return items
	}
	deep := tarItem{Header: tar.Header{Name: strings.Repeat("d/", 10) + "x"}}
	bomb := gz(t, tarOf(t, item("zeros", strings.Repeat("\x00", 20<<20))))
	for _, test := range []struct {
		name   string
		opts   Options
		layers [][]byte
		want   string
	}{
		{"entries", small, [][]byte{tarOf(t, many(101)...)}, "more than 100 entries"},
		{"entries over layers", small, [][]byte{tarOf(t, many(60)...), tarOf(t, many(60)...)}, "more than 100 entries"},
		{"directories nobody named", small, [][]byte{tarOf(t, func() []tarItem {
			var items []tarItem
			for i := range 30 {
				items = append(items, item(fmt.Sprintf("%d/b/c/d/e", i), ""))
			}
			return items
		}()...)}, "more than 100 entries"},
		{"depth", small, [][]byte{tarOf(t, deep)}, "deeper than 10"},
		{"depth through a link", small, [][]byte{tarOf(t, item("a/b/c/d/e/f/g/h/i", ""), linkItem("l", "a/b/c/d/e/f/g/h"), dirItem("l/j/k/l/m/"))}, "deeper than 10"},
		{"bytes", small, [][]byte{tarOf(t, item("a", strings.Repeat("x", 600<<10)), item("b", strings.Repeat("x", 600<<10)))}, "more than 1.0 MiB"},
		{"bytes over layers", small, [][]byte{tarOf(t, item("a", strings.Repeat("x", 600<<10))), tarOf(t, item("a", strings.Repeat("x", 600<<10)))}, "more than 1.0 MiB"},
		{"gzip bomb", imageLimits(Options{}), [][]byte{bomb}, "made to fill the disk"},
		{"zstd bomb", imageLimits(Options{}), [][]byte{zst(t, tarOf(t, item("zeros", strings.Repeat("\x00", 20<<20))))}, "made to fill the disk"},
		{"bomb behind the end", imageLimits(Options{}), [][]byte{gz(t, append(tarOf(t, item("a", "")), make([]byte, 20<<20)...))}, "made to fill the disk"},
		{"cut short", small, [][]byte{tarOf(t, item("a", strings.Repeat("x", 5000)))[:2000]}, "cut short"},
		{"gzip cut short", small, [][]byte{gz(t, tarOf(t, item("a", "x")))[:40]}, "cut short"},
		{"no tar", small, [][]byte{bytes.Repeat([]byte("nonsense"), 200)}, "damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := lay(t, test.opts, test.layers...)
			wantUsage(t, err, test.want)
		})
	}
}

func TestLayerSparse(t *testing.T) {
	huge := append(rawTar(t, "s", 'S', "00000000000\x00", func(h []byte) {
		copy(h[257:265], "ustar  \x00")
		clear(h[345:512])
		copy(h[483:495], "77777777777\x00") // the size it would have
		copy(h[386:398], "77777777777\x00") // one empty piece, at its end
		copy(h[398:410], "00000000000\x00")
	}), tarOf(t, item("good", "1"))...)
	dir, f, err := lay(t, imageLimits(Options{}), huge)
	must(t, err)
	if facts := f.u.allFacts(); len(facts) != 1 || !strings.Contains(facts[0].Text, "sparse") || len(listing(t, dir)) != 1 {
		t.Errorf("facts are %v", facts)
	}
}

func TestLayerDigest(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	f := newRootfs("oci:x", root, imageLimits(Options{}))
	err = f.unpackLayer(t.Context(), bytes.NewReader(tarOf(t, item("a", "1"))), diffID(tarOf(t, item("a", "2"))))
	wantUsage(t, err, "layer 1 has the digest")
}

func TestLayerCompression(t *testing.T) {
	plain := tarOf(t, item("a", strings.Repeat("x", 100_000)))
	for name, data := range map[string][]byte{"plain": plain, "gzip": gz(t, plain), "zstd": zst(t, plain), "two gzip members": append(gz(t, plain[:1000]), gz(t, plain[1000:])...)} {
		t.Run(name, func(t *testing.T) {
			dir, _, err := lay(t, imageLimits(Options{}), data)
			must(t, err)
			if got := listing(t, dir)["a"]; len(got) != 100_000+len("-rw-r--r-- ") {
				t.Errorf("%d bytes", len(got))
			}
		})
	}
}

// TestOpaqueIsCheap: each directory is looked through once, so that a layer
// of nothing but marks stays far below the limit on steps.
func TestOpaqueIsCheap(t *testing.T) {
	var items []tarItem
	for i := range 8_000 {
		items = append(items, item(fmt.Sprintf("d/%d", i), ""))
	}
	for range 8_000 {
		items = append(items, item("d/.wh..wh..opq", ""))
	}
	dir, _, err := lay(t, imageLimits(Options{}), tarOf(t, item("d/old", "")), tarOf(t, items...))
	must(t, err)
	if got := listing(t, dir); len(got) != 8_001 {
		t.Errorf("%d entries", len(got))
	}
}

func TestLayerEntangledLinks(t *testing.T) {
	// Each entry goes through 40 links of 500 steps each.
	var items []tarItem
	for i := range 40 {
		items = append(items, linkItem(fmt.Sprintf("l%d", i), strings.Repeat("./", 500)+fmt.Sprintf("l%d", i+1)))
	}
	items = append(items, dirItem("l40/"))
	for i := range 3000 {
		items = append(items, item(fmt.Sprintf("l0/%d", i), ""))
	}
	_, _, err := lay(t, imageLimits(Options{}), tarOf(t, items...))
	wantUsage(t, err, "too entangled")
}

func TestLayerCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	root, err := os.OpenRoot(t.TempDir())
	must(t, err)
	defer root.Close()
	data := tarOf(t, item("a", "1"))
	err = newRootfs("oci:x", root, imageLimits(Options{})).unpackLayer(ctx, bytes.NewReader(data), diffID(data))
	if mcpsf.ErrorCode(err) == mcpsf.CodeUsage || err == nil {
		t.Errorf("error is %v, want the context's", err)
	}
}

func zst(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	must(t, err)
	defer w.Close()
	return w.EncodeAll(data, nil)
}

func FuzzLayer(f *testing.F) {
	first := tarOf(f, item("a", "1"), linkItem("l", ".."), linkItem("abs", "/"), item("d/x", "1"), odd("h", tar.TypeLink, "a"))
	f.Add(tarOf(f, item("l/a", "2"), item("abs/d/.wh.x", ""), item("d/.wh..wh..opq", "")))
	f.Add(tarOf(f, item("../x", ""), odd("y", tar.TypeLink, "../x"), item(".wh...", "")))
	f.Add(gz(f, tarOf(f, dirItem("a/"), item("a/b", ""), linkItem("a", "l"))))
	f.Add(zst(f, tarOf(f, odd("d", tar.TypeLink, "d/x"), item("d", ""))))
	f.Fuzz(func(t *testing.T, data []byte) { layAndCompare(t, first, data, data) })
}

// FuzzLayerEntries makes up layers of entries that get in each other's way:
// three bytes are kind, name and target of one.
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
		var items []tarItem
		for ; len(data) >= 3 && len(data) < 300; data = data[3:] {
			kind := int(data[0]) % (len(kinds) + 1)
			if kind == len(kinds) {
				layers, items = append(layers, tarOf(t, items...)), nil
				continue
			}
			i := odd(names[int(data[1])%len(names)], kinds[kind], targets[int(data[2])%len(targets)])
			switch kinds[kind] {
			case tar.TypeReg, tar.TypeChar:
				i.Linkname = ""
			case tar.TypeDir:
				i.Linkname, i.Name = "", i.Name+"/"
			}
			items = append(items, i)
		}
		layAndCompare(t, append(layers, tarOf(t, items...))...)
	})
}

// layAndCompare makes sure that what is on the disk is what is in memory.
func layAndCompare(t *testing.T, layers ...[]byte) {
	t.Helper()
	dir, fs, err := lay(t, Options{MaxBytes: 1 << 20, MaxFiles: 500, MaxDepth: 20}, layers...)
	if err != nil {
		wantUsage(t, err)
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
	got := listing(t, dir)
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
