package archive_test

import (
	"archive/tar"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// TestArchiveRefused: archives that cannot be unpacked within the limits, or
// not faithfully, are refused as a whole, with a message of one line.
func TestArchiveRefused(t *testing.T) {
	good := sourcetest.TarFile("server.js", "good")
	whole := sourcetest.Tar(t, good, sourcetest.TarFile("b", strings.Repeat("b", 3000)))
	zipGood := sourcetest.ZipItem{Name: "server.js", Text: "good"}
	zipped := sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "b", Text: strings.Repeat("b", 3000), Method: 8})
	zeros := strings.Repeat("\x00", 11<<20)
	first := 0
	var links []sourcetest.TarItem
	for i := range 20 {
		links = append(links, sourcetest.TarOther(fmt.Sprint(i), tar.TypeLink, "big"))
	}
	le := binary.LittleEndian

	for _, test := range []struct {
		name string
		data []byte
		opts *kind.Options
		text string
	}{
		{name: "empty.tgz", text: "too early"},
		{name: "empty.tar", text: "no files"},
		{name: "empty.zip", text: "no directory"},
		{name: "nothing.zip", data: sourcetest.Zip(t), text: "no files"},
		{name: "text.zip", data: []byte("not a zip at all, but long enough for one"), text: "no directory"},
		{name: "text.tar", data: []byte(strings.Repeat("not a tar", 100)), text: "damaged"},
		{name: "only.tar", data: sourcetest.Tar(t, sourcetest.TarFile("../x", "")), text: `"../x" was refused`},

		{name: "bomb.tgz", data: sourcetest.Gzip(t, sourcetest.Tar(t, good, sourcetest.TarFile("z", zeros))), text: "fill the disk"},
		{name: "refused bomb.tgz", data: sourcetest.Gzip(t, sourcetest.Tar(t, good, sourcetest.TarFile("../z", zeros))), text: "fill the disk"},
		{name: "trailing bomb.tgz", data: sourcetest.Gzip(t, append(sourcetest.Tar(t, good), zeros...)), text: "fill the disk"},
		{name: "bomb.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "z", Text: zeros, Method: 8}), text: "fill the disk"},
		{name: "lying bomb.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "z", Text: zeros, Method: 8, Size: 10}), text: "larger than it says"},
		{name: "links.tar", data: sourcetest.Tar(t, append([]sourcetest.TarItem{sourcetest.TarFile("big", strings.Repeat("b", 1<<16))}, links...)...), opts: &kind.Options{Limits: staging.Limits{MaxBytes: 1 << 20}}, text: "add up to more"},
		{name: "too large.tar", data: whole, opts: &kind.Options{Limits: staging.Limits{MaxBytes: 2000}}, text: "larger than 2.0 KiB"},
		{name: "unpacks too large.tgz", data: sourcetest.Gzip(t, whole), opts: &kind.Options{Limits: staging.Limits{MaxBytes: 2000}}, text: `"b" alone is 2.9 KiB`},
		{name: "unpacks too large.zip", data: zipped, opts: &kind.Options{Limits: staging.Limits{MaxBytes: 2000}}, text: `"b" alone is 2.9 KiB`},
		{name: "claims too large.tar", data: append(sourcetest.Tar(t, good)[:1024], sourcetest.RawTar(t, "x", '0', "77777777777\x00", nil)...), text: `"x" alone is 8.0 GiB`},
		{name: "many.tar", data: sourcetest.Tar(t, good, sourcetest.TarFile("../1", ""), sourcetest.TarFile("../2", "")), opts: &kind.Options{Limits: staging.Limits{MaxFiles: 2}}, text: "more than 2 entries"},
		{name: "many implied.tar", data: sourcetest.Tar(t, sourcetest.TarFile("a/b/c/d", "")), opts: &kind.Options{Limits: staging.Limits{MaxFiles: 3}}, text: "more than 3 entries"},
		{name: "many.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a"}, sourcetest.ZipItem{Name: "b"}), opts: &kind.Options{Limits: staging.Limits{MaxFiles: 2}}, text: "more than 2 entries"},
		{name: "deep.tar", data: sourcetest.Tar(t, good, sourcetest.TarFile("a/b/c/d", "")), opts: &kind.Options{Limits: staging.Limits{MaxDepth: 3}}, text: "deeper than 3"},
		{name: "deep.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a/b/c/d"}), opts: &kind.Options{Limits: staging.Limits{MaxDepth: 3}}, text: "deeper than 3"},

		{name: "cut in contents.tar", data: whole[:2600], text: "too early"},
		{name: "cut in a header.tar", data: whole[:1100], text: "too early"},
		{name: "cut between entries.tar", data: whole[:1024], text: "mark at its end"},
		{name: "cut.tgz", data: sourcetest.Gzip(t, whole)[:60], text: "too early"},
		{name: "cut checksum.tgz", data: sourcetest.Gzip(t, whole)[:len(sourcetest.Gzip(t, whole))-3], text: "too early"},
		{name: "wrong checksum.tgz", data: edit(sourcetest.Gzip(t, whole), -6, 0xff), text: "checksum"},
		{name: "not a tar.tgz", data: sourcetest.Gzip(t, []byte(strings.Repeat("x", 600))), text: "damaged"},
		{name: "giant PAX.tar", data: append(sourcetest.RawTar(t, "pax", 'x', "00010000000\x00", nil), make([]byte, 3<<20)...), text: "damaged"},
		{name: "PAX cut.tar", data: append(sourcetest.RawTar(t, "pax", 'x', "00000000010\x00", nil), sourcetest.Pad("99 a=b")...), text: "damaged"},
		{name: "negative size.tar", data: append(sourcetest.RawTar(t, "x", '0', "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", nil), sourcetest.Tar(t, good)...), text: "damaged"},

		{name: "cut.zip", data: zipped[:len(zipped)-1], text: "no directory"},
		{name: "cut in front.zip", data: zipped[1:], text: "not where it says"},
		{name: "wrong checksum.zip", data: sourcetest.Zip(t, sourcetest.ZipItem{Name: "server.js", Text: "x", CRC: 7}), text: "checksum"},
		{name: "smaller.zip", data: sourcetest.Zip(t, sourcetest.ZipItem{Name: "server.js", Text: "x", Size: 9}), text: "smaller than it says"},
		{name: "larger.zip", data: sourcetest.Zip(t, sourcetest.ZipItem{Name: "server.js", Text: "xxxxx", Size: 2}), text: "larger than it says"},
		{name: "link larger.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "l", Text: "server.js", Mode: 0o120777, Size: 2}), text: "larger than it says"},
		{name: "not deflate.zip", data: edit(sourcetest.Zip(t, sourcetest.ZipItem{Name: "a", Text: "xxxxx", Method: 8}), 31, 0xff), text: "damaged"},
		{name: "encrypted.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Text: "x", Flags: 1}), text: "encrypted"},
		{name: "encrypted in the local header.zip", data: edit(sourcetest.Zip(t, zipGood), 6, 1), text: "encrypted"},
		{name: "masked.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Flags: 1 << 13}), text: "encrypted"},
		{name: "method.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Text: "x", Method: 99}), text: "method 99"},
		{name: "overlap.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "other.js", Text: "good", At: &first}), text: "overlap"},
		{name: "overlap by extra.zip", data: edit(sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "b", Text: "x"}), 28, 20), text: "overlap"},
		{name: "no local header.zip", data: edit(zipped, 0, 0), text: "not where the directory says"},
		{name: "more records.zip", data: sourcetest.EditTail(zipped, func(b []byte) { le.PutUint32(b[8:], 0x10001) }), text: "more entries than it says"},
		{name: "fewer records.zip", data: sourcetest.EditTail(zipped, func(b []byte) { le.PutUint32(b[8:], 0x30003) }), text: "fewer entries than it says"},
		{name: "several parts.zip", data: sourcetest.EditTail(zipped, func(b []byte) { b[4] = 1 }), text: "several"},
		{name: "directory beyond.zip", data: sourcetest.EditTail(zipped, func(b []byte) { le.PutUint32(b[16:], 1<<30) }), text: "not where it says"},
		{name: "directory too long.zip", data: sourcetest.EditTail(zipped, func(b []byte) { le.PutUint32(b[12:], 1<<30) }), text: "too large"},
		{name: "zip64 missing.zip", data: sourcetest.EditTail(zipped, func(b []byte) { le.PutUint32(b[16:], 0xffffffff) }), text: "true size is missing"},
		{name: "zip64 disagrees.zip", data: sourcetest.Zip64(zipped, func(b []byte) { b[32] = 1 }), text: "disagree"},
		{name: "zip64 elsewhere.zip", data: sourcetest.Zip64(zipped, func(b []byte) { b[56+8]++ }), text: "not where it says"},
		{name: "zip64 huge.zip", data: sourcetest.Zip64(sourcetest.EditTail(zipped, func(b []byte) { le.PutUint32(b[8:], 0xffffffff) }), func(b []byte) { le.PutUint64(b[32:], 1<<63) }), text: "more than 100000 entries"},
		{name: "zip64 negative entry.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Size: 0xffffffff, Extra: "\x01\x00\x08\x00\xff\xff\xff\xff\xff\xff\xff\xff"}), text: "impossible"},
		{name: "zip64 entry without.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Size: 0xffffffff, Extra: "\x01\x00\x04\x00\x00\x00\x00\x00"}), text: "missing"},
		{name: "zip64 large entry.zip", data: sourcetest.Zip(t, zipGood, sourcetest.ZipItem{Name: "a", Size: 0xffffffff, Extra: "\x01\x00\x08\x00\x00\x00\x00\x00\x00\x10\x00\x00"}), text: `"a" alone is 16.0 TiB`},
		{name: "two ends.zip", data: sourcetest.TwoEnds(zipped), text: "two ends"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, _, err := unpack(t, "x"+filepath.Ext(test.name), test.data, test.opts)
			sourcetest.WantUsage(t, err, test.text)
		})
	}
}

// edit replaces one byte, counted from the end if at is negative.
func edit(data []byte, at int, to byte) []byte {
	data = slices.Clone(data)
	if at < 0 {
		at += len(data)
	}
	data[at] = to
	return data
}

func TestArchiveZip64(t *testing.T) {
	data := sourcetest.Zip64(sourcetest.Zip(t, sourcetest.ZipItem{Name: "server.js", Text: "x"}), func([]byte) {})
	_, a, facts, err := unpack(t, "x.zip", data, nil)
	sourcetest.Must(t, err)
	if a.Files != 1 || len(facts) != 0 {
		t.Errorf("artifact %+v, facts %v", a, facts)
	}
}

// TestArchiveTrailing: bytes after the end are reported and not unpacked.
func TestArchiveTrailing(t *testing.T) {
	whole := sourcetest.Tar(t, sourcetest.TarFile("server.js", "x"))
	for name, data := range map[string][]byte{
		"tar after it.tar":     slices.Concat(whole, sourcetest.Tar(t, sourcetest.TarFile("evil.js", "x"))),
		"garbage in it.tgz":    sourcetest.Gzip(t, append(slices.Clone(whole), "garbage"...)),
		"garbage after it.tgz": append(sourcetest.Gzip(t, whole), "more garbage"...),
		"garbage.zip":          append(sourcetest.Zip(t, sourcetest.ZipItem{Name: "server.js", Text: "x"}), "garbage"...),
	} {
		t.Run(name, func(t *testing.T) {
			_, a, facts, err := unpack(t, "x"+filepath.Ext(name), data, nil)
			sourcetest.Must(t, err)
			if a.Files != 1 || len(facts) != 0 || len(a.Notes) != 2 || !strings.Contains(a.Notes[1], "after its end") {
				t.Errorf("%d files, notes %q, facts %v", a.Files, a.Notes, facts)
			}
		})
	}
}

// fuzzCaps are small, so that the fuzzer reaches them.
func fuzzCaps() *kind.Options {
	return &kind.Options{Limits: staging.Limits{MaxBytes: 1 << 16, MaxFiles: 20, MaxDepth: 4}}
}

func FuzzTar(f *testing.F) {
	good := sourcetest.TarFile("p/server.js", "good")
	f.Add(sourcetest.Tar(f, good, sourcetest.TarOther("p/l", tar.TypeSymlink, "server.js"), sourcetest.TarOther("p/h", tar.TypeLink, "p/server.js")))
	f.Add(sourcetest.Tar(f, sourcetest.TarFile("../in/sentinel", "x"), sourcetest.TarFile("/abs", "x"), sourcetest.TarOther("l", tar.TypeSymlink, ".."), sourcetest.TarFile("l/sentinel", "x")))
	f.Add(sourcetest.Gzip(f, sourcetest.Tar(f, good, sourcetest.TarFile("P/Server.js", "x"), sourcetest.TarOther("c", tar.TypeChar, ""))))
	f.Add(append(sourcetest.RawTar(f, "s", 'S', "00000000000\x00", nil), sourcetest.Tar(f, good)...))
	f.Add(sourcetest.Tar(f, sourcetest.TarOther("l", tar.TypeSymlink, "../sentinel"), sourcetest.TarOther("h", tar.TypeLink, "../sentinel"), sourcetest.TarOther("h2", tar.TypeLink, "l")))
	f.Fuzz(func(t *testing.T, data []byte) { checkUnpacked(t, "x.tar", data) })
}

func FuzzZip(f *testing.F) {
	first := 0
	good := sourcetest.ZipItem{Name: "p/server.js", Text: "good", Method: 8}
	f.Add(sourcetest.Zip(f, good, sourcetest.ZipItem{Name: "p/l", Text: "server.js", Mode: 0o120777}))
	f.Add(sourcetest.Zip(f, sourcetest.ZipItem{Name: "../sentinel", Text: "x"}, sourcetest.ZipItem{Name: "l", Text: "..", Mode: 0o120777}, sourcetest.ZipItem{Name: "l/sentinel", Text: "x"}))
	f.Add(sourcetest.Zip(f, good, sourcetest.ZipItem{Name: "a", Local: "b", At: &first}))
	f.Add(sourcetest.Zip64(sourcetest.Zip(f, good), func([]byte) {}))
	f.Add(sourcetest.TwoEnds(sourcetest.Zip(f, good)))
	f.Fuzz(func(t *testing.T, data []byte) { checkUnpacked(t, "x.zip", data) })
}

// checkUnpacked unpacks anything; [unpack] checks what is beside the stage.
func checkUnpacked(t *testing.T, name string, data []byte) {
	t.Helper()
	if len(data) > 1<<16 {
		return
	}
	stage, a, facts, err := unpack(t, name, data, fuzzCaps())
	caps := fuzzCaps()
	total := int64(0)
	found := sourcetest.Listing(t, stage)
	for p, content := range found {
		if strings.Count(strings.TrimSuffix(p, "/"), "/") >= caps.MaxDepth {
			t.Errorf("%q is too deep", p)
		}
		if strings.HasPrefix(content, "-rw") {
			total += int64(len(content) - len("-rw-r--r-- "))
		}
	}
	if len(found) > caps.MaxFiles || total > caps.MaxBytes {
		t.Errorf("unpacked %d entries and %d bytes", len(found), total)
	}
	if err != nil {
		sourcetest.WantUsage(t, err)
		return
	}
	if a.Bytes != total || int64(len(a.Command)) == 0 {
		t.Errorf("artifact has %d bytes, the stage %d; command %q", a.Bytes, total, a.Command)
	}
	for _, fact := range facts {
		if usererr.BadName(fact.Path) != "" || usererr.BadName(fact.Text) != "" || fact.Kind != archive.FactRefused {
			t.Errorf("fact %+v is unfit to print", fact)
		}
	}
}
