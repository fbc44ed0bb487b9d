package sourcetest

import (
	"archive/tar"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// TarItem is an entry of a tar; without a type it is a file with the text.
type TarItem struct {
	tar.Header

	Text string
}

// TarFile is a file.
func TarFile(name, text string) TarItem { return TarItem{Header: tar.Header{Name: name}, Text: text} }

// TarOther is an entry of any other kind.
func TarOther(name string, kind byte, link string) TarItem {
	return TarItem{Header: tar.Header{Name: name, Typeflag: kind, Linkname: link}}
}

// Tar writes a tar.
func Tar(t testing.TB, items ...TarItem) []byte {
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
		h.Size = int64(len(i.Text))
		Must(t, w.WriteHeader(&h))
		_, err := w.Write([]byte(i.Text))
		Must(t, err)
	}
	Must(t, w.Close())
	return b.Bytes()
}

// Gzip compresses.
func Gzip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	Must(t, err)
	Must(t, w.Close())
	return b.Bytes()
}

// RawTar is a header that archive/tar would not write.
func RawTar(t testing.TB, name string, kind byte, size string, edit func([]byte)) []byte {
	t.Helper()
	h := Tar(t, TarOther("x", tar.TypeFifo, ""))[:512]
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

// Pad fills the last block of a tar's entry.
func Pad(s string) []byte {
	return append([]byte(s), make([]byte, (512-len(s)%512)%512)...)
}

// ZipItem is an entry in which every field can be forged.
type ZipItem struct {
	Name, Text string
	Mode       uint32 // of Unix, with the file type
	Method     uint16
	Flags      uint16
	Local      string // the name in the local header, if different
	Size       uint32 // in both headers, if not the true one
	LocalSize  uint32
	CRC        uint32
	Extra      string
	LocalExtra string
	At         *int // which item's local header it points at
}

// Zip writes a zip byte by byte.
func Zip(t testing.TB, items ...ZipItem) []byte {
	t.Helper()
	le := binary.LittleEndian
	var out, dir []byte
	var offsets []int
	for _, i := range items {
		data := []byte(i.Text)
		if i.Method == 8 {
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, 9)
			Must(t, err)
			_, err = w.Write(data)
			Must(t, err)
			Must(t, w.Close())
			data = b.Bytes()
		}
		size, crc, local := i.Size, i.CRC, i.Local
		if size == 0 {
			size = uint32(len(i.Text))
		}
		if crc == 0 {
			crc = crc32.ChecksumIEEE([]byte(i.Text))
		}
		if local == "" {
			local = i.Name
		}
		localSize := size
		if i.LocalSize != 0 {
			localSize = i.LocalSize
		}
		offset := len(out)
		if i.At != nil {
			offset = offsets[*i.At]
		} else {
			out = append(out, "PK\x03\x04\x14\x00"...)
			out = le.AppendUint16(out, i.Flags)
			out = le.AppendUint16(out, i.Method)
			out = le.AppendUint32(out, 0)
			out = le.AppendUint32(out, crc)
			out = le.AppendUint32(out, uint32(len(data)))
			out = le.AppendUint32(out, localSize)
			out = le.AppendUint16(out, uint16(len(local)))
			out = le.AppendUint16(out, uint16(len(i.LocalExtra)))
			out = append(append(append(out, local...), i.LocalExtra...), data...)
		}
		offsets = append(offsets, offset)
		dir = append(dir, "PK\x01\x02\x14\x03\x14\x00"...)
		dir = le.AppendUint16(dir, i.Flags)
		dir = le.AppendUint16(dir, i.Method)
		dir = le.AppendUint32(dir, 0)
		dir = le.AppendUint32(dir, crc)
		dir = le.AppendUint32(dir, uint32(len(data)))
		dir = le.AppendUint32(dir, size)
		dir = le.AppendUint16(dir, uint16(len(i.Name)))
		dir = le.AppendUint16(dir, uint16(len(i.Extra)))
		dir = append(dir, make([]byte, 6)...)
		dir = le.AppendUint32(dir, i.Mode<<16)
		dir = le.AppendUint32(dir, uint32(offset))
		dir = append(append(dir, i.Name...), i.Extra...)
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
