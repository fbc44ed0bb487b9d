package archive_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// TestArchiveIsItsContents packs one tree in every format. Each gives the same
// artifact as the directory.
func TestArchiveIsItsContents(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{
		"server.js": "one", "bin/tool": "+xtwo", "empty/": "", "lib/link.js": "->../server.js", "package/package": "x",
	})
	dir, err := resolve(t, src)
	sourcetest.Must(t, err)
	want := sourcetest.Listing(t, dir.Dir)
	want["lib/link.js"] = "->../server.js"

	top := packDir(t, src, "package/")
	flat := packDir(t, src, "")
	zipped := sourcetest.Zip(t,
		sourcetest.ZipItem{Name: "0/server.js", Text: "one", Mode: 0o100600, Method: 8},
		sourcetest.ZipItem{Name: "0/bin/tool", Text: "two", Mode: 0o100755},
		sourcetest.ZipItem{Name: "0/empty/", Mode: 0o040755},
		sourcetest.ZipItem{Name: "0/lib/link.js", Text: "../server.js", Mode: 0o120777},
		sourcetest.ZipItem{Name: "0/package/package", Text: "x", Mode: 0o100644},
	)
	for name, data := range map[string][]byte{
		"x.tar": flat, "top.tar": top, "x.tgz": sourcetest.Gzip(t, top), "x.TAR.GZ": sourcetest.Gzip(t, top), "plain.tgz": top,
		"x.zip": zipped, "x.mcpb": zipped, "x.dxt": zipped, "x.whl": zipped,
		"signed.mcpb": append(slices.Clone(zipped), "SIGNATURE"...),
		"zipped.tar":  zipped,
	} {
		t.Run(name, func(t *testing.T) {
			stage, a, facts, err := unpack(t, name, data, nil)
			sourcetest.Must(t, err)
			if diff := cmp.Diff(want, sourcetest.Listing(t, stage)); diff != "" {
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
	sourcetest.Must(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		sourcetest.Must(t, err)
		info, err := d.Info()
		sourcetest.Must(t, err)
		target, _ := os.Readlink(p)
		h, err := tar.FileInfoHeader(info, target)
		sourcetest.Must(t, err)
		rel, err := filepath.Rel(dir, p)
		sourcetest.Must(t, err)
		if h.Name = prefix + filepath.ToSlash(rel); d.IsDir() {
			h.Name += "/"
		}
		sourcetest.Must(t, w.WriteHeader(h))
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			sourcetest.Must(t, err)
			_, err = w.Write(data)
			sourcetest.Must(t, err)
		}
		return nil
	}))
	sourcetest.Must(t, w.Close())
	return b.Bytes()
}

// TestArchiveOfTheLibrary reads what archive/zip writes.
func TestArchiveOfTheLibrary(t *testing.T) {
	_, a, facts, err := unpack(t, "x.zip", sourcetest.LibraryZip(t, 3), nil)
	sourcetest.Must(t, err)
	if a.Files != 4 || a.Bytes != 8000 || len(facts) != 0 || a.Command[1] != "server.py" || len(a.Notes) != 1 {
		t.Errorf("artifact %+v, facts %v", a, facts)
	}
}

// TestArchiveRefusesEntries: each archive has one entry that only a hostile
// archive has. It is reported, and the rest is unpacked.
func TestArchiveRefusesEntries(t *testing.T) {
	good := sourcetest.TarFile("server.js", "good")
	zipGood := sourcetest.ZipItem{Name: "server.js", Text: "good"}
	tests := []struct {
		name string
		data []byte
		// path and why are those of the one fact.
		path, why string
		// more is what is unpacked beside server.js.
		more map[string]string
	}{
		{name: "up", data: sourcetest.Tar(t, good, sourcetest.TarFile("../up", "x")), path: "../up", why: "upwards"},
		{name: "up in the middle", data: sourcetest.Tar(t, good, sourcetest.TarFile("a/../../b", "x")), path: "a/../../b", why: "upwards"},
		{name: "absolute", data: sourcetest.Tar(t, sourcetest.TarFile("/tmp/mcpsf-abs", "x"), good), path: "/tmp/mcpsf-abs", why: "absolute"},
		{name: "drive", data: sourcetest.Tar(t, good, sourcetest.TarFile("C:/x", "x")), path: "C:/x", why: "drive"},
		{name: "backslash", data: sourcetest.Tar(t, good, sourcetest.TarFile(`..\x`, "x")), path: `..\x`, why: "backslash"},
		{name: "control", data: sourcetest.Tar(t, good, sourcetest.TarFile("a\x1b[31m", "x")), path: "a [31m", why: "control"},
		{name: "not UTF-8", data: append(sourcetest.RawTar(t, "a\xff", '0', "00000000000\x00", nil), sourcetest.Tar(t, good)...), path: "a", why: "UTF-8"},
		{name: "long", data: sourcetest.Tar(t, good, sourcetest.TarFile(strings.Repeat("n", 300), "x")), path: strings.Repeat("n", 200), why: "too long"},
		{name: "symlink out", data: sourcetest.Tar(t, good, sourcetest.TarOther("l", tar.TypeSymlink, "../../x")), path: "l", why: "out of the tree"},
		{name: "symlink absolute", data: sourcetest.Tar(t, good, sourcetest.TarOther("l", tar.TypeSymlink, "/etc/passwd")), path: "l", why: "/etc/passwd"},
		{name: "symlink up through another", data: sourcetest.Tar(t, good, sourcetest.TarOther("d/e", tar.TypeSymlink, ".."), sourcetest.TarOther("l", tar.TypeSymlink, "d/e/../x")),
			path: "l", why: "out of the tree", more: map[string]string{"d/": "drwxr-xr-x", "d/e": "->.."}},
		{name: "symlink to the stripped directory", data: sourcetest.Tar(t, sourcetest.TarFile("p/server.js", "good"), sourcetest.TarOther("p/l", tar.TypeSymlink, "../p/server.js")), path: "l", why: "out of the tree"},
		{name: "symlink with an escape", data: sourcetest.Tar(t, good, sourcetest.TarOther("l", tar.TypeSymlink, "\x1b[2J")), path: "l", why: "target has control"},
		{name: "symlink to itself", data: sourcetest.Tar(t, good, sourcetest.TarOther("l", tar.TypeSymlink, "l")), path: "l", why: "circle"},
		{name: "written through a symlink", data: sourcetest.Tar(t, good, sourcetest.TarOther("l", tar.TypeSymlink, "."), sourcetest.TarFile("l/x", "x")), path: "l/x", why: "no directory", more: map[string]string{"l": "->."}},
		{name: "below a file", data: sourcetest.Tar(t, good, sourcetest.TarFile("server.js/x", "x")), path: "server.js/x", why: "no directory"},
		{name: "hard link out", data: sourcetest.Tar(t, good, sourcetest.TarOther("h", tar.TypeLink, "../in/sentinel")), path: "h", why: "out of the archive"},
		{name: "hard link absolute", data: sourcetest.Tar(t, good, sourcetest.TarOther("h", tar.TypeLink, "/etc/passwd")), path: "h", why: "out of the archive"},
		{name: "hard link to nothing", data: sourcetest.Tar(t, sourcetest.TarOther("h", tar.TypeLink, "server.js"), good), path: "h", why: "no earlier file"},
		{name: "hard link to a symlink", data: sourcetest.Tar(t, good, sourcetest.TarOther("l", tar.TypeSymlink, "server.js"), sourcetest.TarOther("h", tar.TypeLink, "l")), path: "h", why: "no earlier file", more: map[string]string{"l": "->server.js"}},
		{name: "device", data: sourcetest.Tar(t, good, sourcetest.TarOther("c", tar.TypeChar, "")), path: "c", why: "device"},
		{name: "block device", data: sourcetest.Tar(t, good, sourcetest.TarOther("b", tar.TypeBlock, "")), path: "b", why: "device"},
		{name: "pipe", data: sourcetest.Tar(t, good, sourcetest.TarOther("p", tar.TypeFifo, "")), path: "p", why: "pipe"},
		{name: "unknown kind", data: append(sourcetest.RawTar(t, "u", 'Z', "00000000000\x00", nil), sourcetest.Tar(t, good)...), path: "u", why: "unknown"},
		{name: "twice", data: sourcetest.Tar(t, good, sourcetest.TarFile("server.js", "evil")), path: "server.js", why: "second entry"},
		{name: "twice, spelled differently", data: sourcetest.Tar(t, good, sourcetest.TarFile("./server.js", "evil")), path: "./server.js", why: "second entry"},
		{name: "file, then symlink", data: sourcetest.Tar(t, good, sourcetest.TarOther("server.js", tar.TypeSymlink, "x")), path: "server.js", why: "second entry"},
		{name: "file, then directory", data: sourcetest.Tar(t, good, sourcetest.TarOther("server.js/", tar.TypeDir, "")), path: "server.js/", why: "second entry"},
		{name: "case", data: sourcetest.Tar(t, good, sourcetest.TarFile("Server.JS", "evil")), path: "Server.JS", why: "only in case"},
		{name: "case of a directory", data: sourcetest.Tar(t, good, sourcetest.TarFile("a/x", "x"), sourcetest.TarFile("A/y", "y")), path: "A/y", why: "only in case", more: map[string]string{"a/": "drwxr-xr-x", "a/x": "-rw-r--r-- x"}},
		{name: "case beyond ASCII", data: sourcetest.Tar(t, good, sourcetest.TarFile("\u212a", "x"), sourcetest.TarFile("k", "x")), path: "k", why: "only in case", more: map[string]string{"\u212a": "-rw-r--r-- x"}},
		{name: "file in place of the tree", data: append(sourcetest.RawTar(t, ".", '0', "00000000000\x00", nil), sourcetest.Tar(t, good)...), path: ".", why: "the tree itself"},
		{name: "sparse of GNU", data: append(sourcetest.RawTar(t, "s", 'S', "00000000000\x00", func(h []byte) {
			copy(h[257:265], "ustar  \x00")
			clear(h[345:512])
			copy(h[483:495], "77777777777\x00") // the size it claims
			copy(h[386:398], "77777777777\x00") // one empty piece, at its end
			copy(h[398:410], "00000000000\x00")
		}), sourcetest.Tar(t, good)...), path: "s", why: "sparse"},
		{name: "sparse of PAX", data: append(slices.Concat(
			sourcetest.RawTar(t, "pax", 'x', "00000000152\x00", nil), sourcetest.Pad("22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"+
				"21 GNU.sparse.name=s\n"+"41 GNU.sparse.realsize=99999999999999999\n"), // 106 bytes
			sourcetest.RawTar(t, "s", '0', "00000001000\x00", nil), sourcetest.Pad("1\n0\n0\n")), sourcetest.Tar(t, good)...), path: "s", why: "sparse"},

		{name: "zip up", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "../up", Text: "x"}), path: "../up", why: "upwards"},
		{name: "zip backslash", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: `..\up`, Text: "x"}), path: `..\up`, why: "backslash"},
		{name: "zip NUL", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a\x00.js", Text: "x"}), path: "a .js", why: "control"},
		{name: "zip symlink out", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "l", Text: "/etc/passwd", Mode: 0o120777}), path: "l", why: "out of the tree"},
		{name: "zip symlink too long", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "l", Text: strings.Repeat("a/", 600), Mode: 0o120777}), path: "l", why: "too long"},
		{name: "zip device", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "c", Mode: 0o020666}), path: "c", why: "device"},
		{name: "zip pipe", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "p", Mode: 0o010666}), path: "p", why: "pipe"},
		{name: "zip twice", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "server.js", Text: "evil"}), path: "server.js", why: "second entry"},
		{name: "zip case", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "SERVER.js", Text: "evil"}), path: "SERVER.js", why: "only in case"},
		{name: "zip two names", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a.txt", Local: "a.exe", Text: "x"}), path: "a.txt", why: `"a.exe"`},
		{name: "zip third name", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a.txt", Text: "x", Extra: "\x75\x70\x0a\x00\x01\x00\x00\x00\x00a.exe"}), path: "a.txt", why: `"a.exe"`},
		{name: "zip two sizes", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Text: "x", LocalSize: 9}), path: "a", why: "disagree"},
		{name: "zip directory with contents", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "d/", Text: "x"}), path: "d/", why: "contents"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ext := "x.tar"
			if strings.HasPrefix(test.name, "zip") {
				ext = "x.zip"
			}
			stage, a, facts, err := unpack(t, ext, test.data, nil)
			sourcetest.Must(t, err)
			if len(facts) != 1 || facts[0].Kind != archive.FactRefused || facts[0].Path != test.path || !strings.Contains(facts[0].Text, test.why) {
				t.Errorf("facts are %+v, want %q: %q", facts, test.path, test.why)
			}
			if len(a.Notes) != 2 || !strings.HasPrefix(a.Notes[1], "refused ") {
				t.Errorf("notes are %q", a.Notes)
			}
			want := map[string]string{"server.js": "-rw-r--r-- good"}
			maps.Copy(want, test.more)
			if diff := cmp.Diff(want, sourcetest.Listing(t, stage)); diff != "" {
				t.Errorf("stage differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArchiveRefusalsAreBounded(t *testing.T) {
	items := []sourcetest.TarItem{sourcetest.TarFile("server.js", "")}
	for i := range 1000 {
		items = append(items, sourcetest.TarFile(fmt.Sprintf("../%d", i), ""))
	}
	_, a, facts, err := unpack(t, "x.tgz", sourcetest.Gzip(t, sourcetest.Tar(t, items...)), nil)
	sourcetest.Must(t, err)
	if len(facts) != 201 || facts[200].Text != "and 800 more entries" || len(a.Notes) != 20+2 {
		t.Errorf("%d facts, %d notes", len(facts), len(a.Notes))
	}
}

func TestArchiveHardLinksAreCopies(t *testing.T) {
	data := sourcetest.Tar(t, sourcetest.TarItem{Header: tar.Header{Name: "p/server.js", Mode: 0o755}, Text: "x"}, sourcetest.TarOther("p/h", tar.TypeLink, "p/server.js"))
	stage, a, facts, err := unpack(t, "x.tar", data, nil)
	sourcetest.Must(t, err)
	if want := map[string]string{"server.js": "-rwxr-xr-x x", "h": "-rwxr-xr-x x"}; cmp.Diff(want, sourcetest.Listing(t, stage)) != "" || len(facts) != 0 || a.Bytes != 2 {
		t.Errorf("stage %v, facts %v", sourcetest.Listing(t, stage), facts)
	}
	one, err := os.Stat(filepath.Join(stage, "h"))
	sourcetest.Must(t, err)
	two, err := os.Stat(filepath.Join(stage, "server.js"))
	sourcetest.Must(t, err)
	if os.SameFile(one, two) {
		t.Error("they are the same file")
	}
}

func TestArchiveLeavesOut(t *testing.T) {
	data := sourcetest.Tar(t, sourcetest.TarFile("p/server.js", "x"), sourcetest.TarFile("p/.git/config", "x"), sourcetest.TarFile("p/.git/HEAD", "x"),
		sourcetest.TarItem{Header: tar.Header{Name: "p/suid", Mode: 0o4755}}, sourcetest.TarFile("p/nested.tgz", "not unpacked"))
	stage, a, facts, err := unpack(t, "x.tar", data, nil)
	sourcetest.Must(t, err)
	want := map[string]string{"server.js": "-rw-r--r-- x", "suid": "-rwxr-xr-x ", "nested.tgz": "-rw-r--r-- not unpacked"}
	if diff := cmp.Diff(want, sourcetest.Listing(t, stage)); diff != "" || len(facts) != 0 {
		t.Errorf("facts %v, stage differs (-want +got):\n%s", facts, diff)
	}
	notes := []string{`left out "p/.git": it is not part of the server`, `"p/suid" lost its setuid or setgid bit in the copy`}
	if diff := cmp.Diff(notes, a.Notes[1:]); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
}

func TestArchiveCancelled(t *testing.T) {
	file := filepath.Join(sourcetest.Plant(t, map[string]string{"x.tar": string(sourcetest.Tar(t, sourcetest.TarFile("server.js", "x")))}), "x.tar")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := source.Resolve(ctx, mcpsf.Target{Source: file}, t.TempDir(), nil)
	if !errors.Is(err, context.Canceled) || mcpsf.ErrorCode(err) == mcpsf.CodeUsage {
		t.Errorf("error is %v, want the context's", err)
	}
}

func TestDirectoryNamedLikeAnArchive(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{"x.zip/server.js": "x"})
	a, err := resolve(t, filepath.Join(dir, "x.zip"))
	sourcetest.Must(t, err)
	if a.Kind != "local" || a.Files != 1 {
		t.Errorf("artifact is %+v", a)
	}
}

// unpack resolves data as a file of that name in a directory with a sentinel
// beside the stage, and checks that nothing but the stage was changed.
func unpack(t testing.TB, name string, data []byte, opts *kind.Options) (stage string, a *mcpsf.Artifact, facts []mcpsf.Fact, err error) {
	t.Helper()
	// Not t.TempDir, whose name contains the test's name: a message that shows
	// the path would then match by accident.
	dir, err := os.MkdirTemp("", "unpack")
	sourcetest.Must(t, err)
	t.Cleanup(func() { sourcetest.Must(t, os.RemoveAll(dir)) })
	stage = filepath.Join(dir, "in", "stage")
	sourcetest.Must(t, os.MkdirAll(stage, 0o755))
	file := filepath.Join(dir, name)
	sourcetest.Must(t, os.WriteFile(file, data, 0o644))
	sourcetest.Must(t, os.WriteFile(filepath.Join(dir, "in", "sentinel"), []byte("untouched"), 0o644))
	a, facts, err = source.ResolveWithFacts(t.Context(), mcpsf.Target{Source: file}, stage, opts)
	for p, want := range map[string][]string{dir: {"in", name}, filepath.Join(dir, "in"): {"sentinel", "stage"}} {
		got, err := os.ReadDir(p)
		sourcetest.Must(t, err)
		if len(got) != len(want) {
			t.Errorf("%s has %v, want %q", p, got, want)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "in", "sentinel")); err != nil || string(got) != "untouched" {
		t.Errorf("the sentinel is %q, %v", got, err)
	}
	return stage, a, facts, err
}
