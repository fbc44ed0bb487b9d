package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// TestArchiveIsItsContents packs one tree in every way. All of them are the
// same server as the directory.
func TestArchiveIsItsContents(t *testing.T) {
	src := plant(t, map[string]string{
		"server.js": "one", "bin/tool": "+xtwo", "empty/": "", "lib/link.js": "->../server.js", "package/package": "x",
	})
	dir, err := resolve(t, src)
	must(t, err)
	want := listing(t, dir.Dir)
	want["lib/link.js"] = "->../server.js"

	top := packDir(t, src, "package/")
	flat := packDir(t, src, "")
	zipped := zipOf(t,
		zipItem{name: "0/server.js", text: "one", mode: 0o100600, method: 8},
		zipItem{name: "0/bin/tool", text: "two", mode: 0o100755},
		zipItem{name: "0/empty/", mode: 0o040755},
		zipItem{name: "0/lib/link.js", text: "../server.js", mode: 0o120777},
		zipItem{name: "0/package/package", text: "x", mode: 0o100644},
	)
	for name, data := range map[string][]byte{
		"x.tar": flat, "top.tar": top, "x.tgz": gz(t, top), "x.TAR.GZ": gz(t, top), "plain.tgz": top,
		"x.zip": zipped, "x.mcpb": zipped, "x.dxt": zipped, "x.whl": zipped,
		"signed.mcpb": append(slices.Clone(zipped), "SIGNATURE"...),
		"zipped.tar":  zipped,
	} {
		t.Run(name, func(t *testing.T) {
			stage, a, facts, err := unpack(t, name, data, nil)
			must(t, err)
			if diff := cmp.Diff(want, listing(t, stage)); diff != "" {
				t.Errorf("stage differs (-want +got):\n%s", diff)
			}
			if a.Digest != dir.Digest || a.Kind != "archive" || a.Files != dir.Files || a.Bytes != dir.Bytes || a.Dir != stage {
				t.Errorf("artifact is %+v, that of the directory %+v", a, dir)
			}
			if len(facts) != 0 || !slices.Equal(a.Command, dir.Command) {
				t.Errorf("facts %v, command %q", facts, a.Command)
			}
			if sum := fmt.Sprintf("sha256:%x", sha256.Sum256(data)); !strings.Contains(a.Notes[0], sum) {
				t.Errorf("notes %q do not have %s", a.Notes, sum)
			}
			if after := name == "signed.mcpb"; after != (len(a.Notes) == 2) {
				t.Errorf("notes are %q", a.Notes)
			}
		})
	}
}

func packDir(t testing.TB, dir, prefix string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		target, _ := os.Readlink(p)
		h, err := tar.FileInfoHeader(info, target)
		must(t, err)
		rel, err := filepath.Rel(dir, p)
		must(t, err)
		if h.Name = prefix + filepath.ToSlash(rel); d.IsDir() {
			h.Name += "/"
		}
		must(t, w.WriteHeader(h))
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			must(t, err)
			_, err = w.Write(data)
			must(t, err)
		}
		return nil
	}))
	must(t, w.Close())
	return b.Bytes()
}

// TestArchiveOfTheLibrary reads what archive/zip writes: with descriptors, a
// comment, and more entries than 16 bits count.
func TestArchiveOfTheLibrary(t *testing.T) {
	pack := func(n int) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.Create("server.py")
		must(t, err)
		_, err = f.Write([]byte(strings.Repeat("print()\n", 1000)))
		must(t, err)
		for i := range n {
			_, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("d/%d", i)}) // not compressed: it is about the number
			must(t, err)
		}
		must(t, w.SetComment("a comment"))
		must(t, w.Close())
		return b.Bytes()
	}
	_, a, facts, err := unpack(t, "x.zip", pack(3), nil)
	must(t, err)
	if a.Files != 4 || a.Bytes != 8000 || len(facts) != 0 || a.Command[1] != "server.py" || len(a.Notes) != 1 {
		t.Errorf("artifact %+v, facts %v", a, facts)
	}
	const many = 66_000
	data := pack(many)
	entries, trailing, err := readZipDirectory(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), many+1)
	must(t, err)
	if len(entries) != many+1 || trailing != 0 {
		t.Errorf("read %d entries, %d bytes after them", len(entries), trailing)
	}
}

func TestArchiveNames(t *testing.T) {
	for _, test := range []struct {
		name, path, why string
	}{
		{"a", "a", ""},
		{"./a//b/", "a/b", ""},
		{"./", ".", ""},
		{"a..b/..c/d..", "a..b/..c/d..", ""},
		{"\u00fc/\u4e2d", "\u00fc/\u4e2d", ""},
		{"", "", "no name"},
		{"../a", "", "upwards"},
		{"a/../../b", "", "upwards"},
		{"a/../b", "", "upwards"},
		{"..", "", "upwards"},
		{"/etc/passwd", "", "absolute"},
		{"//host/share", "", "absolute"},
		{`..\..\a`, "", "backslash"},
		{`C:\a`, "", "backslash"},
		{"C:a", "", "drive"},
		{"c:/a", "", "drive"},
		{"a\x1b[2J", "", "control"},
		{"a\nb", "", "control"},
		{"a\x00b", "", "control"},
		{"a\u2028b", "", "control"},
		{"\xff", "", "UTF-8"},
		{strings.Repeat("a", 256), "", "too long"},
		{strings.Repeat("a/", 600), "", "too long"},
	} {
		got, why := memberPath(test.name)
		if got != test.path || (why == "") != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("memberPath(%.40q) = %q, %q; want %q, %q", test.name, got, why, test.path, test.why)
		}
	}
}

// TestArchiveRefusesEntries: each archive has one thing in it that only a
// hostile one has. It is told, and the rest is unpacked.
func TestArchiveRefusesEntries(t *testing.T) {
	good := item("server.js", "good")
	zipGood := zipItem{name: "server.js", text: "good"}
	tests := []struct {
		name string
		data []byte
		// path and why are what the one fact says.
		path, why string
		// more is what is unpacked beside server.js.
		more map[string]string
	}{
		{name: "up", data: tarOf(t, good, item("../up", "x")), path: "../up", why: "upwards"},
		{name: "up in the middle", data: tarOf(t, good, item("a/../../b", "x")), path: "a/../../b", why: "upwards"},
		{name: "absolute", data: tarOf(t, item("/tmp/mcpsf-abs", "x"), good), path: "/tmp/mcpsf-abs", why: "absolute"},
		{name: "drive", data: tarOf(t, good, item("C:/x", "x")), path: "C:/x", why: "drive"},
		{name: "backslash", data: tarOf(t, good, item(`..\x`, "x")), path: `..\x`, why: "backslash"},
		{name: "control", data: tarOf(t, good, item("a\x1b[31m", "x")), path: "a [31m", why: "control"},
		{name: "not UTF-8", data: append(rawTar(t, "a\xff", '0', "00000000000\x00", nil), tarOf(t, good)...), path: "a", why: "UTF-8"},
		{name: "long", data: tarOf(t, good, item(strings.Repeat("n", 300), "x")), path: strings.Repeat("n", 200), why: "too long"},
		{name: "symlink out", data: tarOf(t, good, odd("l", tar.TypeSymlink, "../../x")), path: "l", why: "out of the tree"},
		{name: "symlink absolute", data: tarOf(t, good, odd("l", tar.TypeSymlink, "/etc/passwd")), path: "l", why: "/etc/passwd"},
		{name: "symlink up through another", data: tarOf(t, good, odd("d/e", tar.TypeSymlink, ".."), odd("l", tar.TypeSymlink, "d/e/../x")),
			path: "l", why: "out of the tree", more: map[string]string{"d/": "drwxr-xr-x", "d/e": "->.."}},
		{name: "symlink to the stripped directory", data: tarOf(t, item("p/server.js", "good"), odd("p/l", tar.TypeSymlink, "../p/server.js")), path: "l", why: "out of the tree"},
		{name: "symlink with an escape", data: tarOf(t, good, odd("l", tar.TypeSymlink, "\x1b[2J")), path: "l", why: "target has control"},
		{name: "symlink to itself", data: tarOf(t, good, odd("l", tar.TypeSymlink, "l")), path: "l", why: "circle"},
		{name: "written through a symlink", data: tarOf(t, good, odd("l", tar.TypeSymlink, "."), item("l/x", "x")), path: "l/x", why: "no directory", more: map[string]string{"l": "->."}},
		{name: "below a file", data: tarOf(t, good, item("server.js/x", "x")), path: "server.js/x", why: "no directory"},
		{name: "hard link out", data: tarOf(t, good, odd("h", tar.TypeLink, "../in/sentinel")), path: "h", why: "out of the archive"},
		{name: "hard link absolute", data: tarOf(t, good, odd("h", tar.TypeLink, "/etc/passwd")), path: "h", why: "out of the archive"},
		{name: "hard link to nothing", data: tarOf(t, odd("h", tar.TypeLink, "server.js"), good), path: "h", why: "no earlier file"},
		{name: "hard link to a symlink", data: tarOf(t, good, odd("l", tar.TypeSymlink, "server.js"), odd("h", tar.TypeLink, "l")), path: "h", why: "no earlier file", more: map[string]string{"l": "->server.js"}},
		{name: "device", data: tarOf(t, good, odd("c", tar.TypeChar, "")), path: "c", why: "device"},
		{name: "block device", data: tarOf(t, good, odd("b", tar.TypeBlock, "")), path: "b", why: "device"},
		{name: "pipe", data: tarOf(t, good, odd("p", tar.TypeFifo, "")), path: "p", why: "pipe"},
		{name: "unknown kind", data: append(rawTar(t, "u", 'Z', "00000000000\x00", nil), tarOf(t, good)...), path: "u", why: "unknown"},
		{name: "twice", data: tarOf(t, good, item("server.js", "evil")), path: "server.js", why: "second entry"},
		{name: "twice in disguise", data: tarOf(t, good, item("./server.js", "evil")), path: "./server.js", why: "second entry"},
		{name: "file, then symlink", data: tarOf(t, good, odd("server.js", tar.TypeSymlink, "x")), path: "server.js", why: "second entry"},
		{name: "file, then directory", data: tarOf(t, good, odd("server.js/", tar.TypeDir, "")), path: "server.js/", why: "second entry"},
		{name: "case", data: tarOf(t, good, item("Server.JS", "evil")), path: "Server.JS", why: "only in case"},
		{name: "case of a directory", data: tarOf(t, good, item("a/x", "x"), item("A/y", "y")), path: "A/y", why: "only in case", more: map[string]string{"a/": "drwxr-xr-x", "a/x": "-rw-r--r-- x"}},
		{name: "case beyond ASCII", data: tarOf(t, good, item("\u212a", "x"), item("k", "x")), path: "k", why: "only in case", more: map[string]string{"\u212a": "-rw-r--r-- x"}},
		{name: "file in place of the tree", data: append(rawTar(t, ".", '0', "00000000000\x00", nil), tarOf(t, good)...), path: ".", why: "the tree itself"},
		{name: "sparse of GNU", data: append(rawTar(t, "s", 'S', "00000000000\x00", func(h []byte) {
			copy(h[257:265], "ustar  \x00")
			clear(h[345:512])
			copy(h[483:495], "77777777777\x00") // the size it would have
			copy(h[386:398], "77777777777\x00") // one empty piece, at its end
			copy(h[398:410], "00000000000\x00")
		}), tarOf(t, good)...), path: "s", why: "sparse"},
		{name: "sparse of PAX", data: append(slices.Concat(
			rawTar(t, "pax", 'x', "00000000152\x00", nil), pad("22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"+
				"21 GNU.sparse.name=s\n"+"41 GNU.sparse.realsize=99999999999999999\n"), // 106 bytes
			rawTar(t, "s", '0', "00000001000\x00", nil), pad("1\n0\n0\n")), tarOf(t, good)...), path: "s", why: "sparse"},

		{name: "zip up", data: zipOf(t, zipGood, zipItem{name: "../up", text: "x"}), path: "../up", why: "upwards"},
		{name: "zip backslash", data: zipOf(t, zipGood, zipItem{name: `..\up`, text: "x"}), path: `..\up`, why: "backslash"},
		{name: "zip NUL", data: zipOf(t, zipGood, zipItem{name: "a\x00.js", text: "x"}), path: "a .js", why: "control"},
		{name: "zip symlink out", data: zipOf(t, zipGood, zipItem{name: "l", text: "/etc/passwd", mode: 0o120777}), path: "l", why: "out of the tree"},
		{name: "zip symlink too long", data: zipOf(t, zipGood, zipItem{name: "l", text: strings.Repeat("a/", 600), mode: 0o120777}), path: "l", why: "too long"},
		{name: "zip device", data: zipOf(t, zipGood, zipItem{name: "c", mode: 0o020666}), path: "c", why: "device"},
		{name: "zip pipe", data: zipOf(t, zipGood, zipItem{name: "p", mode: 0o010666}), path: "p", why: "pipe"},
		{name: "zip twice", data: zipOf(t, zipGood, zipItem{name: "server.js", text: "evil"}), path: "server.js", why: "second entry"},
		{name: "zip case", data: zipOf(t, zipGood, zipItem{name: "SERVER.js", text: "evil"}), path: "SERVER.js", why: "only in case"},
		{name: "zip two names", data: zipOf(t, zipGood, zipItem{name: "a.txt", local: "a.exe", text: "x"}), path: "a.txt", why: `"a.exe"`},
		{name: "zip third name", data: zipOf(t, zipGood, zipItem{name: "a.txt", text: "x", extra: "\x75\x70\x0a\x00\x01\x00\x00\x00\x00a.exe"}), path: "a.txt", why: `"a.exe"`},
		{name: "zip two sizes", data: zipOf(t, zipGood, zipItem{name: "a", text: "x", localSize: 9}), path: "a", why: "disagree"},
		{name: "zip directory with contents", data: zipOf(t, zipGood, zipItem{name: "d/", text: "x"}), path: "d/", why: "contents"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ext := "x.tar"
			if strings.HasPrefix(test.name, "zip") {
				ext = "x.zip"
			}
			stage, a, facts, err := unpack(t, ext, test.data, nil)
			must(t, err)
			if len(facts) != 1 || facts[0].Kind != FactRefused || facts[0].Path != test.path || !strings.Contains(facts[0].Text, test.why) {
				t.Errorf("facts are %q, want %q: %q", facts, test.path, test.why)
			}
			if len(a.Notes) != 2 || !strings.HasPrefix(a.Notes[1], "refused ") {
				t.Errorf("notes are %q", a.Notes)
			}
			want := map[string]string{"server.js": "-rw-r--r-- good"}
			maps.Copy(want, test.more)
			if diff := cmp.Diff(want, listing(t, stage)); diff != "" {
				t.Errorf("stage differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArchiveRefusalsAreBounded(t *testing.T) {
	items := []tarItem{item("server.js", "")}
	for i := range 1000 {
		items = append(items, item(fmt.Sprintf("../%d", i), ""))
	}
	_, a, facts, err := unpack(t, "x.tgz", gz(t, tarOf(t, items...)), nil)
	must(t, err)
	if len(facts) != 201 || facts[200].Text != "and 800 more entries" || len(a.Notes) != maxNotes+2 {
		t.Errorf("%d facts, %d notes", len(facts), len(a.Notes))
	}
}

func TestArchiveHardLinksAreCopies(t *testing.T) {
	data := tarOf(t, tarItem{Header: tar.Header{Name: "p/server.js", Mode: 0o755}, text: "x"}, odd("p/h", tar.TypeLink, "p/server.js"))
	stage, a, facts, err := unpack(t, "x.tar", data, nil)
	must(t, err)
	if want := map[string]string{"server.js": "-rwxr-xr-x x", "h": "-rwxr-xr-x x"}; cmp.Diff(want, listing(t, stage)) != "" || len(facts) != 0 || a.Bytes != 2 {
		t.Errorf("stage %v, facts %v", listing(t, stage), facts)
	}
	one, err := os.Stat(filepath.Join(stage, "h"))
	must(t, err)
	two, err := os.Stat(filepath.Join(stage, "server.js"))
	must(t, err)
	if os.SameFile(one, two) {
		t.Error("they are the same file")
	}
}

func TestArchiveLeavesOut(t *testing.T) {
	data := tarOf(t, item("p/server.js", "x"), item("p/.git/config", "x"), item("p/.git/HEAD", "x"),
		tarItem{Header: tar.Header{Name: "p/suid", Mode: 0o4755}}, item("p/nested.tgz", "not unpacked"))
	stage, a, facts, err := unpack(t, "x.tar", data, nil)
	must(t, err)
	want := map[string]string{"server.js": "-rw-r--r-- x", "suid": "-rwxr-xr-x ", "nested.tgz": "-rw-r--r-- not unpacked"}
	if diff := cmp.Diff(want, listing(t, stage)); diff != "" || len(facts) != 0 {
		t.Errorf("facts %v, stage differs (-want +got):\n%s", facts, diff)
	}
	notes := []string{`left out "p/.git": it is not part of the server`, `"p/suid" lost its setuid or setgid bit in the copy`}
	if diff := cmp.Diff(notes, a.Notes[1:]); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
}

func TestArchiveCancelled(t *testing.T) {
	file := filepath.Join(plant(t, map[string]string{"x.tar": string(tarOf(t, item("server.js", "x")))}), "x.tar")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Resolve(ctx, mcpsf.Target{Source: file}, t.TempDir(), nil)
	if !errors.Is(err, context.Canceled) || mcpsf.ErrorCode(err) == mcpsf.CodeUsage {
		t.Errorf("error is %v, want the context's", err)
	}
}

func TestDirectoryNamedLikeAnArchive(t *testing.T) {
	dir := plant(t, map[string]string{"x.zip/server.js": "x"})
	a, err := resolve(t, filepath.Join(dir, "x.zip"))
	must(t, err)
	if a.Kind != "local" || a.Files != 1 {
		t.Errorf("artifact is %+v", a)
	}
}
