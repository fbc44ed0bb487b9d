package source

import (
	"archive/tar"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// tarOf writes a tar; a header without a type is a file with the text.
type tarItem struct {
	tar.Header

	text string
}

func item(name, text string) tarItem { return tarItem{Header: tar.Header{Name: name}, text: text} }

func odd(name string, kind byte, link string) tarItem {
	return tarItem{Header: tar.Header{Name: name, Typeflag: kind, Linkname: link}}
}

func tarOf(t testing.TB, items ...tarItem) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, i := range items {
		h := i.Header
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		h.Size = int64(len(i.text))
		must(t, w.WriteHeader(&h))
		_, err := w.Write([]byte(i.text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// rawTar is a header that archive/tar would not write.
func rawTar(t testing.TB, name string, kind byte, size string, edit func([]byte)) []byte {
	t.Helper()
	h := tarOf(t, odd("x", tar.TypeFifo, ""))[:512]
	clear(h[:100])
	copy(h, name)
	h[156] = kind
	if size != "" {
		copy(h[124:136], size)
	}
	if edit != nil {
		edit(h)
	}
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:156], []byte{'0', byte('0' + sum>>12&7), byte('0' + sum>>9&7), byte('0' + sum>>6&7), byte('0' + sum>>3&7), byte('0' + sum&7), 0, ' '})
	return h
}

// pad fills the last block of a tar's entry.
func pad(s string) []byte {
	return append([]byte(s), make([]byte, (512-len(s)%512)%512)...)
}

// zipItem is an entry that can lie in every field.
type zipItem struct {
	name, text string
	mode       uint32 // of Unix, with the kind
	method     uint16
	flags      uint16
	local      string // the name in the local header, if another
	size       uint32 // in both headers, if not the true one
	localSize  uint32
	crc        uint32
	extra      string
	localExtra string
	at         *int // which item's local header it points at
}

// zipOf writes a zip by hand.
func zipOf(t testing.TB, items ...zipItem) []byte {
	t.Helper()
	le := binary.LittleEndian
	var out, dir []byte
	var offsets []int
	for _, i := range items {
		data := []byte(i.text)
		if i.method == 8 {
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, 9)
			must(t, err)
			_, err = w.Write(data)
			must(t, err)
			must(t, w.Close())
			data = b.Bytes()
		}
		size, crc, local := i.size, i.crc, i.local
		if size == 0 {
			size = uint32(len(i.text))
		}
		if crc == 0 {
			crc = crc32.ChecksumIEEE([]byte(i.text))
		}
		if local == "" {
			local = i.name
		}
		localSize := size
		if i.localSize != 0 {
			localSize = i.localSize
		}
		offset := len(out)
		if i.at != nil {
			offset = offsets[*i.at]
		} else {
			out = append(out, "PK\x03\x04\x14\x00"...)
			out = le.AppendUint16(out, i.flags)
			out = le.AppendUint16(out, i.method)
			out = le.AppendUint32(out, 0)
			out = le.AppendUint32(out, crc)
			out = le.AppendUint32(out, uint32(len(data)))
			out = le.AppendUint32(out, localSize)
			out = le.AppendUint16(out, uint16(len(local)))
			out = le.AppendUint16(out, uint16(len(i.localExtra)))
			out = append(append(append(out, local...), i.localExtra...), data...)
		}
		offsets = append(offsets, offset)
		dir = append(dir, "PK\x01\x02\x14\x03\x14\x00"...)
		dir = le.AppendUint16(dir, i.flags)
		dir = le.AppendUint16(dir, i.method)
		dir = le.AppendUint32(dir, 0)
		dir = le.AppendUint32(dir, crc)
		dir = le.AppendUint32(dir, uint32(len(data)))
		dir = le.AppendUint32(dir, size)
		dir = le.AppendUint16(dir, uint16(len(i.name)))
		dir = le.AppendUint16(dir, uint16(len(i.extra)))
		dir = append(dir, make([]byte, 6)...)
		dir = le.AppendUint32(dir, i.mode<<16)
		dir = le.AppendUint32(dir, uint32(offset))
		dir = append(append(dir, i.name...), i.extra...)
	}
	return append(append(out, dir...), zipTail(len(items), len(dir), len(out))...)
}

func zipTail(records, size, offset int) []byte {
	le := binary.LittleEndian
	b := []byte("PK\x05\x06\x00\x00\x00\x00")
	b = le.AppendUint16(b, uint16(records))
	b = le.AppendUint16(b, uint16(records))
	b = le.AppendUint32(b, uint32(size))
	b = le.AppendUint32(b, uint32(offset))
	return append(b, 0, 0)
}

// unpack resolves data as a file of that name in a directory with a sentinel
// beside the stage, and makes sure that nothing but the stage was touched.
func unpack(t testing.TB, name string, data []byte, opts *Options) (stage string, a *mcpsf.Artifact, facts []mcpsf.Fact, err error) {
	t.Helper()
	// Not t.TempDir, whose name has that of the test in it: a message that
	// shows the path would seem to say what the test is about.
	dir, err := os.MkdirTemp("", "unpack")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	stage = filepath.Join(dir, "in", "stage")
	must(t, os.MkdirAll(stage, 0o755))
	file := filepath.Join(dir, name)
	must(t, os.WriteFile(file, data, 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "in", "sentinel"), []byte("untouched"), 0o644))
	a, facts, err = ResolveWithFacts(t.Context(), mcpsf.Target{Source: file}, stage, opts)
	for p, want := range map[string][]string{dir: {"in", name}, filepath.Join(dir, "in"): {"sentinel", "stage"}} {
		got, err := os.ReadDir(p)
		must(t, err)
		if len(got) != len(want) {
			t.Errorf("%s has %v, want %q", p, got, want)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "in", "sentinel")); err != nil || string(got) != "untouched" {
		t.Errorf("the sentinel is %q, %v", got, err)
	}
	return stage, a, facts, err
}
