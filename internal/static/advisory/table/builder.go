package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/klauspost/compress/s2"
)

// maxBytes bounds the keys and values in a builder, maxEntry one of them: a
// block is read as a whole.
// gap: advisories
const (
	maxBytes = 512 << 20
	maxEntry = maxRaw - blockSize - 2*binary.MaxVarintLen64
)

// ErrFull is returned when more is added than a table can hold.
var ErrFull = errors.New("there is more than a table can hold")

const chunkSize = 1 << 20

// Builder collects entries in memory. It is not safe for concurrent use;
// [Write] makes one table of several builders.
type Builder struct {
	// chunks hold keys and values one after the other. They are few and have no
	// pointers, so that the garbage collector skips them.
	chunks  [][]byte
	entries []entry
	bytes   int
	packed  []byte // scratch buffer
}

// entry is the location of an entry.
type entry struct {
	// prefix is the beginning of the key, which decides most comparisons.
	prefix     uint64
	chunk, off uint32
	key, value uint32 // lengths
	// raw is the unpacked length of the value, 0 if it is not packed.
	raw uint32
}

// packFrom is the length from which values are packed in memory: lists of
// hundreds of versions, which some ecosystems have many of.
const packFrom = 1 << 10

// Add keeps a copy of value under key. A key may have several values.
func (b *Builder) Add(key string, value []byte) error {
	if len(key)+len(value) > maxEntry {
		return ErrFull
	}
	raw := 0
	if len(value) >= packFrom {
		raw = len(value)
		b.packed = s2.Encode(b.packed[:cap(b.packed)], value)
		value = b.packed
	}
	size := len(key) + len(value)
	if b.bytes += size; b.bytes > maxBytes {
		return ErrFull
	}
	last := len(b.chunks) - 1
	if last < 0 || cap(b.chunks[last])-len(b.chunks[last]) < size {
		b.chunks = append(b.chunks, make([]byte, 0, max(size, chunkSize)))
		last++
	}
	c := b.chunks[last]
	b.entries = append(b.entries, entry{
		prefix: prefix(key), chunk: uint32(last), off: uint32(len(c)),
		key: uint32(len(key)), value: uint32(len(value)), raw: uint32(raw),
	})
	b.chunks[last] = append(append(c, key...), value...)
	return nil
}

// Len returns the number of entries.
func (b *Builder) Len() int { return len(b.entries) }

func prefix(key string) uint64 {
	var head [8]byte
	copy(head[:], key)
	return binary.BigEndian.Uint64(head[:])
}

func (b *Builder) key(e entry) []byte {
	return b.chunks[e.chunk][e.off : e.off+e.key]
}

func (b *Builder) value(e entry) []byte {
	return b.chunks[e.chunk][e.off+e.key : e.off+e.key+e.value]
}

// sort orders the entries by key, and those of one key by stored value: the
// same entries make the same file, in whatever order they came.
func (b *Builder) sort() {
	slices.SortFunc(b.entries, func(x, y entry) int {
		if c := cmp.Compare(x.prefix, y.prefix); c != 0 {
			return c
		}
		if c := bytes.Compare(b.key(x), b.key(y)); c != 0 {
			return c
		}
		return bytes.Compare(b.value(x), b.value(y))
	})
}

// cursor walks over a sorted builder.
type cursor struct {
	builder *Builder
	next    int
}

func (c *cursor) done() bool   { return c.next >= len(c.builder.entries) }
func (c *cursor) entry() entry { return c.builder.entries[c.next] }

func (c *cursor) before(d *cursor) bool {
	x, y := c.entry(), d.entry()
	if x.prefix != y.prefix {
		return x.prefix < y.prefix
	}
	if o := bytes.Compare(c.builder.key(x), d.builder.key(y)); o != 0 {
		return o < 0
	}
	return bytes.Compare(c.builder.value(x), d.builder.value(y)) < 0
}

// merged calls visit with the entries of all builders, in order.
func merged(builders []*Builder, visit func(key, value []byte) error) error {
	var unpacked []byte
	cursors := make([]*cursor, len(builders))
	for i, b := range builders {
		cursors[i] = &cursor{builder: b}
	}
	for {
		var least *cursor
		for _, c := range cursors {
			if !c.done() && (least == nil || c.before(least)) {
				least = c
			}
		}
		if least == nil {
			return nil
		}
		e := least.entry()
		value := least.builder.value(e)
		if e.raw > 0 {
			var err error
			if unpacked, err = unpack(unpacked, value); err != nil {
				return err
			}
			value = unpacked
		}
		if err := visit(least.builder.key(e), value); err != nil {
			return err
		}
		least.next++
	}
}

// firstAfter returns the position of the first block that can only hold keys
// after key.
func firstAfter(blocks []block, key string) int {
	i, _ := slices.BinarySearchFunc(blocks, key, func(b block, key string) int {
		if strings.Compare(b.first, key) <= 0 {
			return -1
		}
		return 1
	})
	return i
}
