package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/s2"
)

// ErrDamaged is wrapped by every error that reports a file that [Write] did not
// write.
var ErrDamaged = errors.New("the file is damaged")

// ErrVersion is returned for a table of another version of the format.
var ErrVersion = errors.New("the file was written by another version")

// maxRaw bounds how much is unpacked at once. A block ends with the first entry
// that fills it.
// gap: advisories
const maxRaw = 64 << 20

// Table is an open table. It is safe for concurrent use.
type Table struct {
	r      io.ReaderAt
	blocks []block
	note   []byte
	body   int64 // where the blocks end

	// The last block that was read: keys that are looked up in order often
	// share one.
	mu   sync.Mutex
	last int
	raw  []byte
	buf  []byte
}

// Open reads the end of a table of size bytes.
func Open(r io.ReaderAt, size int64) (*Table, error) {
	if size < int64(len(magic)+footerSize) {
		return nil, damaged("it is too short")
	}
	footer := make([]byte, footerSize)
	if _, err := r.ReadAt(footer, size-footerSize); err != nil {
		return nil, fmt.Errorf("reading the end of the table: %w", err)
	}
	tail := footerSize - len(magic)
	if end := string(footer[tail:]); end != magic {
		if end[:len(end)-1] == magic[:len(magic)-1] {
			return nil, ErrVersion
		}
		return nil, damaged("its end is missing")
	}
	if checksum(footer[:tail-4]) != binary.LittleEndian.Uint32(footer[tail-4:]) {
		return nil, damaged("its end was changed")
	}
	t := &Table{r: r, last: -1}
	index, at, err := t.part(footer, size)
	if err != nil {
		return nil, err
	}
	t.body = at
	if t.note, _, err = t.part(footer[16:], size); err != nil {
		return nil, err
	}
	raw, err := unpack(nil, index)
	if err != nil {
		return nil, err
	}
	t.blocks, err = decodeIndex(raw, t.body)
	return t, err
}

// part reads a part that the footer describes.
func (t *Table) part(footer []byte, size int64) (data []byte, at int64, err error) {
	off := binary.LittleEndian.Uint64(footer)
	length := binary.LittleEndian.Uint32(footer[8:])
	if off > uint64(size) || uint64(length) > uint64(size)-off || length > maxRaw {
		return nil, 0, damaged("a part lies outside of it")
	}
	data = make([]byte, length)
	if _, err := t.r.ReadAt(data, int64(off)); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, fmt.Errorf("reading the table: %w", err)
	}
	if checksum(data) != binary.LittleEndian.Uint32(footer[12:]) {
		return nil, 0, damaged("a part of it was changed")
	}
	return data, int64(off), nil
}

func decodeIndex(raw []byte, body int64) ([]block, error) {
	d := reader{data: raw}
	n := d.number()
	if n > uint64(len(raw)) {
		return nil, damaged("its index is broken")
	}
	blocks := make([]block, 0, min(n, 1<<16))
	for range n {
		b := block{first: string(d.bytes())}
		off, size, unpacked, sum := d.number(), d.number(), d.number(), d.number()
		if off > uint64(body) || size > uint64(body)-off || unpacked > maxRaw {
			d.broken = true
		}
		b.off, b.size, b.raw, b.checksum = int64(off), uint32(size), uint32(unpacked), uint32(sum)
		if d.broken || len(blocks) > 0 && blocks[len(blocks)-1].first > b.first {
			return nil, damaged("its index is broken")
		}
		blocks = append(blocks, b)
	}
	if len(d.data) > 0 {
		return nil, damaged("its index is broken")
	}
	return blocks, nil
}

// Note returns the bytes that were given to [Write].
func (t *Table) Note() []byte { return t.note }

// Get calls visit with each value of key. The bytes are valid only until visit
// returns.
func (t *Table) Get(key string, visit func(value []byte) error) error {
	end := firstAfter(t.blocks, key)
	begin := end
	// A key with many values begins in an earlier block.
	for begin > 0 && t.blocks[begin-1].first == key {
		begin--
	}
	begin = max(begin-1, 0)
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := begin; i < end; i++ {
		if err := t.load(i); err != nil {
			return err
		}
		if err := scan(t.raw, key, visit); err != nil {
			return err
		}
	}
	return nil
}

// load reads block i and compares its checksum.
func (t *Table) load(i int) error {
	if t.last == i {
		return nil
	}
	t.last = -1
	b := t.blocks[i]
	if cap(t.buf) < int(b.size) {
		t.buf = make([]byte, b.size)
	}
	packed := t.buf[:b.size]
	if _, err := t.r.ReadAt(packed, b.off); err != nil {
		return fmt.Errorf("reading the table: %w", err)
	}
	if checksum(packed) != b.checksum {
		return damaged("a part of it was changed")
	}
	raw, err := unpack(t.raw, packed)
	if err != nil {
		return err
	}
	if len(raw) != int(b.raw) {
		return damaged("a part of it was changed")
	}
	t.raw, t.last = raw, i
	return nil
}

// scan searches a block. Keys are in order, so it can end early.
func scan(raw []byte, key string, visit func(value []byte) error) error {
	d := reader{data: raw}
	for len(d.data) > 0 {
		k, v := d.bytes(), d.bytes()
		if d.broken {
			return damaged("an entry is broken")
		}
		switch {
		case string(k) < key:
		case string(k) > key:
			return nil
		default:
			if err := visit(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpack decompresses, into dst if that is large enough.
func unpack(dst, packed []byte) ([]byte, error) {
	n, err := s2.DecodedLen(packed)
	if err != nil || n > maxRaw {
		return nil, damaged("a part cannot be unpacked")
	}
	out, err := s2.Decode(dst[:cap(dst)], packed)
	if err != nil {
		return nil, damaged("a part cannot be unpacked")
	}
	return out, nil
}

// reader reads values from the front. After the first failure it returns zeros.
type reader struct {
	data   []byte
	broken bool
}

func (d *reader) number() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.data, d.broken = nil, true
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *reader) bytes() []byte {
	n := d.number()
	if n > uint64(len(d.data)) {
		d.data, d.broken = nil, true
		return nil
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}

func damaged(how string) error { return fmt.Errorf("%w: %s", ErrDamaged, how) }
