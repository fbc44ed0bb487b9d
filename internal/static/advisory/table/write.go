package table

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/s2"
)

// gap: advisories
const (
	magic = "mcpsfAd\x01"
	// blockSize is the size from which a block is complete: a compromise
	// between what a look-up must unpack and what compression gains.
	blockSize  = 8 << 10
	footerSize = 64
	// maxNote bounds the caller's note.
	maxNote = 1 << 20
)

// block is the location of a block and its checksum.
type block struct {
	first    string
	off      int64
	size     uint32 // in the file
	raw      uint32 // unpacked
	checksum uint32 // of the bytes in the file
}

// Write makes one table of the entries of all builders, which it sorts. note is
// called with the number of different keys, and its result is stored in the
// file, see [Table.Note].
func Write(w io.Writer, note func(keys int) ([]byte, error), builders ...*Builder) error {
	var wait sync.WaitGroup
	for _, b := range builders {
		wait.Go(b.sort)
	}
	wait.Wait()
	out := &writer{w: bufio.NewWriterSize(w, 1<<20)}
	out.write([]byte(magic))
	if err := merged(builders, out.add); err != nil {
		return err
	}
	out.flush()
	text, err := note(out.keys)
	if err != nil {
		return err
	}
	return out.end(text)
}

// Rewrite makes a copy of a table with another note.
func Rewrite(w io.Writer, t *Table, note []byte) error {
	if _, err := io.Copy(w, io.NewSectionReader(t.r, 0, t.body)); err != nil {
		return fmt.Errorf("copying a table: %w", err)
	}
	out := &writer{w: bufio.NewWriter(w), off: t.body, blocks: t.blocks}
	return out.end(note)
}

// writer remembers the first error, so that callers check it once at the end.
type writer struct {
	w      *bufio.Writer
	off    int64
	err    error
	blocks []block
	// raw is the block being filled, packed the buffer for the compressed one.
	raw, packed []byte
	first       string
	// keys counts the different ones, key is the last.
	keys int
	key  []byte
}

func (w *writer) write(p []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(p)
	}
	w.off += int64(len(p))
}

func (w *writer) add(key, value []byte) error {
	if len(w.raw) == 0 {
		w.first = string(key)
	}
	if w.keys == 0 || !bytes.Equal(w.key, key) {
		w.keys++
		w.key = append(w.key[:0], key...)
	}
	w.raw = binary.AppendUvarint(w.raw, uint64(len(key)))
	w.raw = append(w.raw, key...)
	w.raw = binary.AppendUvarint(w.raw, uint64(len(value)))
	w.raw = append(w.raw, value...)
	if len(w.raw) >= blockSize {
		w.flush()
	}
	return w.err
}

func (w *writer) flush() {
	if len(w.raw) == 0 {
		return
	}
	w.packed = s2.EncodeBetter(w.packed[:cap(w.packed)], w.raw)
	w.blocks = append(w.blocks, block{
		first: w.first, off: w.off, size: uint32(len(w.packed)), raw: uint32(len(w.raw)), checksum: checksum(w.packed),
	})
	w.write(w.packed)
	w.raw = w.raw[:0]
}

// end writes the index, the note and the footer.
func (w *writer) end(note []byte) error {
	if len(note) > maxNote {
		return fmt.Errorf("the note of a table has %d bytes, more than %d", len(note), maxNote)
	}
	packed := s2.EncodeBetter(nil, encodeIndex(w.blocks))
	footer := make([]byte, 0, footerSize)
	for _, part := range [][]byte{packed, note} {
		footer = binary.LittleEndian.AppendUint64(footer, uint64(w.off))
		footer = binary.LittleEndian.AppendUint32(footer, uint32(len(part)))
		footer = binary.LittleEndian.AppendUint32(footer, checksum(part))
		w.write(part)
	}
	footer = append(footer, make([]byte, footerSize-len(footer)-4-len(magic))...)
	footer = binary.LittleEndian.AppendUint32(footer, checksum(footer))
	w.write(append(footer, magic...))
	if w.err != nil {
		return w.err
	}
	return w.w.Flush()
}

func encodeIndex(blocks []block) []byte {
	out := binary.AppendUvarint(nil, uint64(len(blocks)))
	for _, b := range blocks {
		out = binary.AppendUvarint(out, uint64(len(b.first)))
		out = append(out, b.first...)
		for _, n := range []uint64{uint64(b.off), uint64(b.size), uint64(b.raw), uint64(b.checksum)} {
			out = binary.AppendUvarint(out, n)
		}
	}
	return out
}

func checksum(p []byte) uint32 {
	return crc32.Checksum(p, crc32.MakeTable(crc32.Castagnoli))
}
