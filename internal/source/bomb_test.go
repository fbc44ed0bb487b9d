package source

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestArchiveRefused: archives that cannot be unpacked within the limits, or
// not faithfully, are refused as a whole, in one line.
func TestArchiveRefused(t *testing.T) {
	good := item("server.js", "good")
	whole := tarOf(t, good, item("b", strings.Repeat("b", 3000)))
	zipGood := zipItem{name: "server.js", text: "good"}
	zipped := zipOf(t, zipGood, zipItem{name: "b", text: strings.Repeat("b", 3000), method: 8})
	zeros := strings.Repeat("\x00", 11<<20)
	first := 0
	var links []tarItem
	for i := range 20 {
		links = append(links, odd(fmt.Sprint(i), tar.TypeLink, "big"))
	}
	le := binary.LittleEndian

	for _, test := range []struct {
		name string
		data []byte
		opts *Options
		text string
	}{
		{name: "empty.tgz", text: "too early"},
		{name: "empty.tar", text: "no files"},
		{name: "empty.zip", text: "no directory"},
		{name: "nothing.zip", data: zipOf(t), text: "no files"},
		{name: "text.zip", data: []byte("not a zip at all, but long enough for one"), text: "no directory"},
		{name: "text.tar", data: []byte(strings.Repeat("not a tar", 100)), text: "damaged"},
		{name: "only.tar", data: tarOf(t, item("../x", "")), text: `"../x" was refused`},

		{name: "bomb.tgz", data: gz(t, tarOf(t, good, item("z", zeros))), text: "fill the disk"},
		{name: "refused bomb.tgz", data: gz(t, tarOf(t, good, item("../z", zeros))), text: "fill the disk"},
		{name: "trailing bomb.tgz", data: gz(t, append(tarOf(t, good), zeros...)), text: "fill the disk"},
		{name: "bomb.zip", data: zipOf(t, zipGood, zipItem{name: "z", text: zeros, method: 8}), text: "fill the disk"},
		{name: "lying bomb.zip", data: zipOf(t, zipGood, zipItem{name: "z", text: zeros, method: 8, size: 10}), text: "larger than it says"},
		{name: "links.tar", data: tarOf(t, append([]tarItem{item("big", strings.Repeat("b", 1<<16))}, links...)...), opts: &Options{MaxBytes: 1 << 20}, text: "add up to more"},
		{name: "too large.tar", data: whole, opts: &Options{MaxBytes: 2000}, text: "larger than 2.0 KiB"},
		{name: "unpacks too large.tgz", data: gz(t, whole), opts: &Options{MaxBytes: 2000}, text: `"b" alone is 2.9 KiB`},
		{name: "unpacks too large.zip", data: zipped, opts: &Options{MaxBytes: 2000}, text: `"b" alone is 2.9 KiB`},
		{name: "claims too large.tar", data: append(tarOf(t, good)[:1024], rawTar(t, "x", '0', "77777777777\x00", nil)...), text: `"x" alone is 8.0 GiB`},
		{name: "many.tar", data: tarOf(t, good, item("../1", ""), item("../2", "")), opts: &Options{MaxFiles: 2}, text: "more than 2 entries"},
		{name: "many implied.tar", data: tarOf(t, item("a/b/c/d", "")), opts: &Options{MaxFiles: 3}, text: "more than 3 entries"},
		{name: "many.zip", data: zipOf(t, zipGood, zipItem{name: "a"}, zipItem{name: "b"}), opts: &Options{MaxFiles: 2}, text: "more than 2 entries"},
		{name: "deep.tar", data: tarOf(t, good, item("a/b/c/d", "")), opts: &Options{MaxDepth: 3}, text: "deeper than 3"},
		{name: "deep.zip", data: zipOf(t, zipGood, zipItem{name: "a/b/c/d"}), opts: &Options{MaxDepth: 3}, text: "deeper than 3"},

		{name: "cut in contents.tar", data: whole[:2600], text: "too early"},
		{name: "cut in a header.tar", data: whole[:1100], text: "too early"},
		{name: "cut between entries.tar", data: whole[:1024], text: "mark at its end"},
		{name: "cut.tgz", data: gz(t, whole)[:60], text: "too early"},
		{name: "cut checksum.tgz", data: gz(t, whole)[:len(gz(t, whole))-3], text: "too early"},
		{name: "wrong checksum.tgz", data: edit(gz(t, whole), -6, 0xff), text: "checksum"},
		{name: "not a tar.tgz", data: gz(t, []byte(strings.Repeat("x", 600))), text: "damaged"},
		{name: "giant PAX.tar", data: append(rawTar(t, "pax", 'x', "00010000000\x00", nil), make([]byte, 3<<20)...), text: "damaged"},
		{name: "PAX cut.tar", data: append(rawTar(t, "pax", 'x', "00000000010\x00", nil), pad("99 a=b")...), text: "damaged"},
		{name: "negative size.tar", data: append(rawTar(t, "x", '0', "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", nil), tarOf(t, good)...), text: "damaged"},

		{name: "cut.zip", data: zipped[:len(zipped)-1], text: "no directory"},
		{name: "cut in front.zip", data: zipped[1:], text: "not where it says"},
		{name: "wrong checksum.zip", data: zipOf(t, zipItem{name: "server.js", text: "x", crc: 7}), text: "checksum"},
		{name: "smaller.zip", data: zipOf(t, zipItem{name: "server.js", text: "x", size: 9}), text: "smaller than it says"},
		{name: "larger.zip", data: zipOf(t, zipItem{name: "server.js", text: "xxxxx", size: 2}), text: "larger than it says"},
		{name: "link larger.zip", data: zipOf(t, zipGood, zipItem{name: "l", text: "server.js", mode: 0o120777, size: 2}), text: "larger than it says"},
		{name: "not deflate.zip", data: edit(zipOf(t, zipItem{name: "a", text: "xxxxx", method: 8}), 31, 0xff), text: "damaged"},
		{name: "encrypted.zip", data: zipOf(t, zipGood, zipItem{name: "a", text: "x", flags: 1}), text: "encrypted"},
		{name: "encrypted in the local header.zip", data: edit(zipOf(t, zipGood), 6, 1), text: "encrypted"},
		{name: "masked.zip", data: zipOf(t, zipGood, zipItem{name: "a", flags: 1 << 13}), text: "encrypted"},
		{name: "method.zip", data: zipOf(t, zipGood, zipItem{name: "a", text: "x", method: 99}), text: "method 99"},
		{name: "overlap.zip", data: zipOf(t, zipGood, zipItem{name: "other.js", text: "good", at: &first}), text: "overlap"},
		{name: "overlap by extra.zip", data: edit(zipOf(t, zipGood, zipItem{name: "b", text: "x"}), 28, 20), text: "overlap"},
		{name: "no local header.zip", data: edit(zipped, 0, 0), text: "not where the directory says"},
		{name: "more records.zip", data: editTail(zipped, func(b []byte) { le.PutUint32(b[8:], 0x10001) }), text: "more entries than it says"},
		{name: "fewer records.zip", data: editTail(zipped, func(b []byte) { le.PutUint32(b[8:], 0x30003) }), text: "fewer entries than it says"},
		{name: "several parts.zip", data: editTail(zipped, func(b []byte) { b[4] = 1 }), text: "several"},
		{name: "directory beyond.zip", data: editTail(zipped, func(b []byte) { le.PutUint32(b[16:], 1<<30) }), text: "not where it says"},
		{name: "directory too long.zip", data: editTail(zipped, func(b []byte) { le.PutUint32(b[12:], 1<<30) }), text: "too large"},
		{name: "zip64 missing.zip", data: editTail(zipped, func(b []byte) { le.PutUint32(b[16:], 0xffffffff) }), text: "true size is missing"},
		{name: "zip64 disagrees.zip", data: zip64(zipped, func(b []byte) { b[32] = 1 }), text: "disagree"},
		{name: "zip64 elsewhere.zip", data: zip64(zipped, func(b []byte) { b[56+8]++ }), text: "not where it says"},
		{name: "zip64 huge.zip", data: zip64(editTail(zipped, func(b []byte) { le.PutUint32(b[8:], 0xffffffff) }), func(b []byte) { le.PutUint64(b[32:], 1<<63) }), text: "more than 100000 entries"},
		{name: "zip64 negative entry.zip", data: zipOf(t, zipGood, zipItem{name: "a", size: 0xffffffff, extra: "\x01\x00\x08\x00\xff\xff\xff\xff\xff\xff\xff\xff"}), text: "impossible"},
		{name: "zip64 entry without.zip", data: zipOf(t, zipGood, zipItem{name: "a", size: 0xffffffff, extra: "\x01\x00\x04\x00\x00\x00\x00\x00"}), text: "missing"},
		{name: "zip64 large entry.zip", data: zipOf(t, zipGood, zipItem{name: "a", size: 0xffffffff, extra: "\x01\x00\x08\x00\x00\x00\x00\x00\x00\x10\x00\x00"}), text: `"a" alone is 16.0 TiB`},
		{name: "two ends.zip", data: twoEnds(zipped), text: "two ends"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, _, err := unpack(t, "x"+filepath.Ext(test.name), test.data, test.opts)
			wantUsage(t, err, test.text)
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

func editTail(data []byte, do func([]byte)) []byte {
	data = slices.Clone(data)
	do(data[len(data)-zipEndLen:])
	return data
}

// zip64 adds the records with the true sizes to a zip.
func zip64(data []byte, do func([]byte)) []byte {
	le := binary.LittleEndian
	at := len(data) - zipEndLen
	end := data[at:]
	b := le.AppendUint64([]byte("PK\x06\x06"), zipEnd64Len-12)
	b = append(b, make([]byte, 12)...)
	for range 2 {
		b = le.AppendUint64(b, uint64(le.Uint16(end[10:])))
	}
	b = le.AppendUint64(b, uint64(le.Uint32(end[12:])))
	b = le.AppendUint64(b, uint64(le.Uint32(end[16:])))
	b = append(b, "PK\x06\x07\x00\x00\x00\x00"...)
	b = le.AppendUint64(b, uint64(at))
	b = append(b, 1, 0, 0, 0)
	do(b)
	return slices.Concat(data[:at], b, end)
}

func twoEnds(data []byte) []byte {
	data = editTail(data, func(b []byte) { b[20] = zipEndLen })
	return append(data, zipTail(0, 0, 0)...)
}

func TestArchiveZip64(t *testing.T) {
	data := zip64(zipOf(t, zipItem{name: "server.js", text: "x"}), func([]byte) {})
	_, a, facts, err := unpack(t, "x.zip", data, nil)
	must(t, err)
	if a.Files != 1 || len(facts) != 0 {
		t.Errorf("artifact %+v, facts %v", a, facts)
	}
}

// TestZipOverlap: a bomb is known by its directory, before anything is read.
func TestZipOverlap(t *testing.T) {
	first := 0
	data := zipOf(t, zipItem{name: "a", text: "x"}, zipItem{name: "b", text: "x", at: &first})
	_, _, err := readZipDirectory(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), 20)
	if !errors.Is(err, errZipOverlap) {
		t.Errorf("error is %v", err)
	}
}

// TestArchiveTrailing: what follows the end is told and not unpacked.
func TestArchiveTrailing(t *testing.T) {
	whole := tarOf(t, item("server.js", "x"))
	for name, data := range map[string][]byte{
		"tar after it.tar":     slices.Concat(whole, tarOf(t, item("evil.js", "x"))),
		"garbage in it.tgz":    gz(t, append(slices.Clone(whole), "garbage"...)),
		"garbage after it.tgz": append(gz(t, whole), "more garbage"...),
		"garbage.zip":          append(zipOf(t, zipItem{name: "server.js", text: "x"}), "garbage"...),
	} {
		t.Run(name, func(t *testing.T) {
			_, a, facts, err := unpack(t, "x"+filepath.Ext(name), data, nil)
			must(t, err)
			if a.Files != 1 || len(facts) != 0 || len(a.Notes) != 2 || !strings.Contains(a.Notes[1], "after its end") {
				t.Errorf("%d files, notes %q, facts %v", a.Files, a.Notes, facts)
			}
		})
	}
}

// fuzzCaps are small, so that the fuzzer reaches them.
func fuzzCaps() *Options { return &Options{MaxBytes: 1 << 16, MaxFiles: 20, MaxDepth: 4} }

func FuzzTar(f *testing.F) {
	good := item("p/server.js", "good")
	f.Add(tarOf(f, good, odd("p/l", tar.TypeSymlink, "server.js"), odd("p/h", tar.TypeLink, "p/server.js")))
	f.Add(tarOf(f, item("../in/sentinel", "x"), item("/abs", "x"), odd("l", tar.TypeSymlink, ".."), item("l/sentinel", "x")))
	f.Add(gz(f, tarOf(f, good, item("P/Server.js", "x"), odd("c", tar.TypeChar, ""))))
	f.Add(append(rawTar(f, "s", 'S', "00000000000\x00", nil), tarOf(f, good)...))
	f.Add(tarOf(f, odd("l", tar.TypeSymlink, "../sentinel"), odd("h", tar.TypeLink, "../sentinel"), odd("h2", tar.TypeLink, "l")))
	f.Fuzz(func(t *testing.T, data []byte) { checkUnpacked(t, "x.tar", data) })
}

func FuzzZip(f *testing.F) {
	first := 0
	good := zipItem{name: "p/server.js", text: "good", method: 8}
	f.Add(zipOf(f, good, zipItem{name: "p/l", text: "server.js", mode: 0o120777}))
	f.Add(zipOf(f, zipItem{name: "../sentinel", text: "x"}, zipItem{name: "l", text: "..", mode: 0o120777}, zipItem{name: "l/sentinel", text: "x"}))
	f.Add(zipOf(f, good, zipItem{name: "a", local: "b", at: &first}))
	f.Add(zip64(zipOf(f, good), func([]byte) {}))
	f.Add(twoEnds(zipOf(f, good)))
	f.Fuzz(func(t *testing.T, data []byte) { checkUnpacked(t, "x.zip", data) })
}

// checkUnpacked unpacks anything; [unpack] looks at what is beside the stage.
func checkUnpacked(t *testing.T, name string, data []byte) {
	t.Helper()
	if len(data) > 1<<16 {
		return
	}
	stage, a, facts, err := unpack(t, name, data, fuzzCaps())
	caps := fuzzCaps()
	total := int64(0)
	found := listing(t, stage)
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
		wantUsage(t, err)
		return
	}
	if a.Bytes != total || int64(len(a.Command)) == 0 {
		t.Errorf("artifact has %d bytes, the stage %d; command %q", a.Bytes, total, a.Command)
	}
	for _, fact := range facts {
		if badName(fact.Path) != "" || badName(fact.Text) != "" || fact.Kind != FactRefused {
			t.Errorf("fact %q is unfit to print", fact)
		}
	}
}

func FuzzZipDirectory(f *testing.F) {
	f.Add(zipOf(f, zipItem{name: "a", text: "x"}))
	f.Add(zip64(zipOf(f, zipItem{name: "a", text: "x"}), func([]byte) {}))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _, err := readZipDirectory(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), 20)
		if err != nil {
			return
		}
		if len(entries) > 20 {
			t.Errorf("%d entries", len(entries))
		}
		for _, e := range entries {
			if e.size < 0 || e.packed < 0 || e.header < 0 || e.header+e.packed > int64(len(data)) {
				t.Errorf("entry %+v lies outside of %d bytes", e, len(data))
			}
		}
	})
}
