//go:build linux

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// hostile is an archive that tries to do harm.
type hostile struct {
	name string // its extension says what it claims to be
	data []byte
	// failed is the job's message if it is to fail; otherwise the report has
	// told in its notes.
	failed, told string
}

// zeroes is the unpacked size of a piece of a bomb.
const zeroes = 16 << 20

// deflated is a compressed piece, with its checksum.
func deflated(t testing.TB) ([]byte, uint32) {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	sourcetest.Must(t, err)
	_, err = w.Write(make([]byte, zeroes))
	sourcetest.Must(t, err)
	sourcetest.Must(t, w.Close())
	return b.Bytes(), crc32.ChecksumIEEE(make([]byte, zeroes))
}

// bombZip is a zip of n such pieces, with names that have this extension.
func bombZip(t testing.TB, n int, end string) []byte {
	t.Helper()
	data, sum := deflated(t)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	addTo(t, w, "server.py", []byte("print(1)\n"))
	for i := range n {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: fmt.Sprintf("lib/%d%s", i, end), Method: zip.Deflate, CRC32: sum, CompressedSize64: uint64(len(data)), UncompressedSize64: zeroes,
		})
		sourcetest.Must(t, err)
		_, err = f.Write(data)
		sourcetest.Must(t, err)
	}
	sourcetest.Must(t, w.Close())
	return b.Bytes()
}

func addTo(t testing.TB, w *zip.Writer, name string, data []byte) {
	t.Helper()
	f, err := w.Create(name)
	sourcetest.Must(t, err)
	_, err = f.Write(data)
	sourcetest.Must(t, err)
}

// zipOf is a zip with one file, under several names.
func zipOf(t testing.TB, data []byte, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	addTo(t, w, "server.py", []byte("print(1)\n"))
	for _, name := range names {
		addTo(t, w, name, data)
	}
	sourcetest.Must(t, w.Close())
	return b.Bytes()
}

// bombGzip is a tar of one file of n pieces, in as many streams of gzip.
func bombGzip(t testing.TB, n int) []byte {
	t.Helper()
	var head bytes.Buffer
	w := tar.NewWriter(&head)
	sourcetest.Must(t, w.WriteHeader(&tar.Header{Name: "server.py", Mode: 0o644, Size: int64(n) * zeroes}))
	out := sourcetest.Gzip(t, head.Bytes())
	piece := sourcetest.Gzip(t, make([]byte, zeroes))
	for range n {
		out = append(out, piece...)
	}
	return append(out, sourcetest.Gzip(t, make([]byte, 1024))...)
}

// manyGzip is a tar of n empty files with different names.
func manyGzip(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	sourcetest.Must(t, err)
	w := tar.NewWriter(z)
	for i := range n {
		sourcetest.Must(t, w.WriteHeader(&tar.Header{Name: fmt.Sprintf("d%d/%d.py", i%50, i), Mode: 0o644}))
	}
	sourcetest.Must(t, w.Close())
	sourcetest.Must(t, z.Close())
	return b.Bytes()
}

// manyZip is a zip of n empty files.
func manyZip(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n {
		_, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("%d.py", i)})
		sourcetest.Must(t, err)
	}
	sourcetest.Must(t, w.Close())
	return b.Bytes()
}

// overlapping has n files that share one piece.
func overlapping(t testing.TB, n int) []byte {
	t.Helper()
	data := sourcetest.Zip(t, sourcetest.ZipItem{Name: "0", Text: strings.Repeat("\x00", zeroes), Method: 8})
	le := binary.LittleEndian
	end := data[len(data)-22:]
	at, size := le.Uint32(end[16:]), le.Uint32(end[12:])
	entry := data[at : at+size]
	var dir []byte
	for i := range n {
		e := slices.Clone(entry)
		name := fmt.Sprintf("%06d", i)
		le.PutUint16(e[28:], uint16(len(name)))
		dir = append(append(dir, e[:46]...), name...)
	}
	out := slices.Concat(data[:at], dir, end)
	tail := out[len(out)-22:]
	le.PutUint16(tail[8:], uint16(n))
	le.PutUint16(tail[10:], uint16(n))
	le.PutUint32(tail[12:], uint32(len(dir)))
	return out
}

// climbingTar has entries of all types that would be written at or below a path
// outside, or link there. One file is valid.
func climbingTar(t testing.TB, outside string) []byte {
	t.Helper()
	up := strings.Repeat("../", 20)
	return sourcetest.Tar(t,
		sourcetest.TarFile("server.py", "print(1)\n"),
		sourcetest.TarFile(up+outside[1:], "x"), sourcetest.TarFile(outside, "x"), sourcetest.TarFile("a/"+up+outside[1:], "x"),
		sourcetest.TarOther("way", tar.TypeSymlink, "/"), sourcetest.TarFile("way"+outside, "x"),
		sourcetest.TarOther("up", tar.TypeSymlink, up), sourcetest.TarFile("up"+outside, "x"),
		sourcetest.TarOther("near", tar.TypeSymlink, "."), sourcetest.TarFile("near/"+up+outside[1:], "x"),
		sourcetest.TarOther("users", tar.TypeLink, "/etc/passwd"), sourcetest.TarOther("users2", tar.TypeLink, up+"etc/passwd"),
		sourcetest.TarOther("null", tar.TypeChar, ""), sourcetest.TarOther("sda", tar.TypeBlock, ""), sourcetest.TarOther("pipe", tar.TypeFifo, ""),
	)
}

// climbingZip does the same with the entry types of zip.
func climbingZip(t testing.TB, outside string) []byte {
	t.Helper()
	up := strings.Repeat("../", 20)
	return sourcetest.Zip(t,
		sourcetest.ZipItem{Name: "server.py", Text: "print(1)\n"}, sourcetest.ZipItem{Name: up + outside[1:], Text: "x"}, sourcetest.ZipItem{Name: outside, Text: "x"},
		sourcetest.ZipItem{Name: strings.ReplaceAll(up+outside[1:], "/", `\`), Text: "x"}, sourcetest.ZipItem{Name: "C:" + outside, Text: "x"},
		sourcetest.ZipItem{Name: "way", Text: "/", Mode: 0o120777}, sourcetest.ZipItem{Name: "way" + outside, Text: "x"},
	)
}

// sparseTar claims a file of 8 GiB that uses no space.
func sparseTar(t testing.TB) []byte {
	t.Helper()
	return append(sourcetest.RawTar(t, "hole", 'S', "00000000000\x00", func(h []byte) {
		copy(h[257:265], "ustar  \x00")
		clear(h[345:512])
		copy(h[483:495], "77777777777\x00")
		copy(h[386:398], "77777777777\x00")
		copy(h[398:410], "00000000000\x00")
	}), sourcetest.Tar(t, sourcetest.TarFile("server.py", "print(1)\n"))...)
}

// within packs an archive into archives repeatedly, twice each time.
func within(t testing.TB, data []byte, depth int, end string) []byte {
	t.Helper()
	for range depth {
		data = zipOf(t, data, "one"+end, "two"+end)
	}
	return data
}

// jarBomb has a jar with nested jars, uncompressed, each n bytes long; only the
// outermost is compressed.
func jarBomb(t testing.TB, n, depth int) []byte {
	t.Helper()
	stored := func(name string, data []byte) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		sourcetest.Must(t, err)
		_, err = f.Write(data)
		sourcetest.Must(t, err)
		sourcetest.Must(t, w.Close())
		return b.Bytes()
	}
	data := stored("zeroes", make([]byte, n))
	for range depth {
		data = stored("inner.jar", data)
	}
	return zipOf(t, zipOf(t, data, "a.jar", "b.jar"), "lib/app.jar")
}

// endlessHeader is a gzip whose name field does not end.
func endlessHeader(t testing.TB, n int) []byte {
	t.Helper()
	b := sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("server.py", "print(1)\n")))
	return slices.Concat(b[:3], []byte{8}, b[4:10], bytes.Repeat([]byte("n"), n), []byte{0}, b[10:])
}

// members is a tar in one gzip stream behind n empty ones.
func members(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	empty := sourcetest.Gzip(t, nil)
	for range n {
		b.Write(empty)
	}
	_, err := io.Copy(&b, bytes.NewReader(sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("server.py", "print(1)\n")))))
	sourcetest.Must(t, err)
	return b.Bytes()
}
