package archive

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

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
		got, why := MemberPath(test.name)
		if got != test.path || (why == "") != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("memberPath(%.40q) = %q, %q; want %q, %q", test.name, got, why, test.path, test.why)
		}
	}
}

// TestManyEntries has more entries than fit into 16 bits.
func TestManyEntries(t *testing.T) {
	const many = 66_000
	data := sourcetest.LibraryZip(t, many)
	entries, trailing, err := readZipDirectory(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), many+1)
	sourcetest.Must(t, err)
	if len(entries) != many+1 || trailing != 0 {
		t.Errorf("read %d entries, %d bytes after them", len(entries), trailing)
	}
}

// TestZipOverlap: a bomb is recognised by its directory, before any entry is
// read.
func TestZipOverlap(t *testing.T) {
	first := 0
	data := sourcetest.Zip(t, sourcetest.ZipItem{Name: "a", Text: "x"}, sourcetest.ZipItem{Name: "b", Text: "x", At: &first})
	_, _, err := readZipDirectory(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), 20)
	if !errors.Is(err, errZipOverlap) {
		t.Errorf("error is %v", err)
	}
}

func FuzzZipDirectory(f *testing.F) {
	f.Add(sourcetest.Zip(f, sourcetest.ZipItem{Name: "a", Text: "x"}))
	f.Add(sourcetest.Zip64(sourcetest.Zip(f, sourcetest.ZipItem{Name: "a", Text: "x"}), func([]byte) {}))
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
