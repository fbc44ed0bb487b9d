package canary

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
)

// noByte means no separator.
const noByte = 0xff

// promising checks cheaply whether a few decoded bytes may contain a mark, or
// something to decode. It has no false negatives. It ignores the separator that
// was removed.
func (n *node) promising(b []byte, without byte) bool {
	b = append(b, 0) // see write
	x := n.scan.index
	for i := 0; i+window < len(b); i += 2 {
		h := hashWindow(binary.LittleEndian.Uint64(b[i:]))
		if may(x.filter, h) && x.has(h) {
			return true
		}
	}
	return n.depth+1 < maxDepth && n.layered(b[:len(b)-1], without)
}

// has reports whether a window is in the index.
func (x *index) has(h uint64) bool {
	tag, mask := uint32(h), uint64(len(x.slots)-1)
	for j := h >> x.slotShift; x.slots[j].form != 0; j = (j + 1) & mask {
		if x.slots[j].tag == tag {
			return true
		}
	}
	return false
}

// layered reports whether b, of at most 64 bytes, may contain encoded data.
func (n *node) layered(b []byte, without byte) bool {
	table := &n.scan.set.breaks
	var digits, breaks uint64
	for i, c := range b {
		t := table[c]
		digits |= (^t & 1) << (i & 63)
		breaks += t >> blockSize
		if t&breakBit != 0 && breaks >= 3 && (c != without || c == 0) && often(b, i) {
			return true
		}
		switch c {
		case '%', '\\', '&', 0x1f, 0x28, 0x78:
			if opensHere(b[i:]) {
				return true
			}
		}
	}
	if digits = runsOf(digits); digits == 0 {
		return false
	}
	// Words consist of letters of one case. Digits, upper and lower case are in
	// different rows of the ASCII table.
	kinds := byte(0)
	for _, c := range b[bits.TrailingZeros64(digits):] {
		if table[c]&1 != 0 {
			break
		}
		kinds |= 1 << (c >> 5)
	}
	return kinds&(1<<('0'>>5)) != 0 || kinds&(kinds-1) != 0
}

// often reports whether the byte at i is as frequent as a separator would be;
// it is called at the third occurrence.
func often(b []byte, i int) bool {
	seen := bytes.Count(b[:i+1], b[i:i+1])
	return seen >= 3 && seen*maxPeriod >= len(b)
}

// opensHere reports whether b begins with an escape or compressed data.
func opensHere(b []byte) bool {
	if kind := strings.IndexByte("%\\&", b[0]); kind >= 0 {
		certain, _ := opens(kind, b)
		return certain
	}
	return len(b) >= magicSize && magic(b)
}

func magic(b []byte) bool {
	for _, is := range [...]func([]byte) (string, Decoder){isGzip, isZstd, isZlib} {
		if _, open := is(b); open != nil {
			return true
		}
	}
	return false
}
