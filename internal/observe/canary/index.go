package canary

import (
	"encoding/binary"
	"math/bits"
)

// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	// window is one less than the shortest mark, so that one of two windows is
	// at an even position: only those are looked up.
	window = 7
	// thin is the minimum weight of an indexed window.
	thin = 9
	// maxWindows bounds the index; more text is indexed more sparsely.
	maxWindows = 1 << 20
	// sameWindow is how often a window may be in the index: a window that
	// repeats in a value or in all values proves little.
	sameWindow = 8

	foldBits = 0x2020202020202020
	lowDiffs = 1<<48 - 1
	mixer    = 0x9e3779b97f4a7c15
)

// index finds the texts a window of eight bytes may belong to.
type index struct {
	pieces bool
	codes  [4]code
	maps   []charmap
	forms  []form
	text   []byte

	// filter has two bits for each window, in one word. Its length is a power
	// of two.
	filter    []uint64
	slots     []slot
	slotShift uint
}

// form is one encoding of one mark.
type form struct {
	mark       int32
	text, size uint32 // in index.text
	code       uint8
	charmap    uint8
	start      uint8 // bit of the value at which the text begins
}

// slot says that a window is at off in a form. Forms count from one, so that
// the zero slot is free.
type slot struct {
	tag  uint32
	form uint16
	off  uint16
}

// hashWindow returns the same hash for a window, its reverse, any change of
// case and any XOR with one byte: it hashes the differences of neighbours,
// without the case bit of letters, from both ends. The eighth byte of w does
// not matter.
func hashWindow(w uint64) uint64 {
	f := w | foldBits
	d := (f ^ f>>8) & lowDiffs
	r := bits.ReverseBytes64(d) >> 16
	hi, lo := bits.Mul64(d^mixer, r^mixer) // the same in both directions
	return hi ^ lo
}

// may reports whether a window can be in the index.
func may(filter []uint64, h uint64) bool {
	m := filterBits(h)
	return filter[h&uint64(len(filter)-1)]&m == m
}

// filterBits returns the two bits in the filter's word; the lower bits of the
// hash choose the word.
func filterBits(h uint64) uint64 {
	return 1<<(h>>20&63) | 1<<(h>>30&63)
}

// newIndex builds the index for marks: for pieces of eight bytes, or for one
// stream, which is faster.
func newIndex(marks []mark, values [][]byte, pieces bool) *index {
	x := &index{codes: codes(), maps: charmaps(), pieces: pieces}
	for i, value := range values {
		if marks[i].need > 0 {
			x.addForms(int32(i), value)
		}
	}
	coarse := 1
	count := x.count(coarse)
	for ; count > maxWindows; count = x.count(coarse) {
		coarse *= 2
	}
	logSlots := max(10, bits.Len(uint(count*3/2)))
	x.slots, x.slotShift = make([]slot, 1<<logSlots), uint(64-logSlots)
	logWords := max(9, bits.Len(uint(count/8)))
	x.filter = make([]uint64, 1<<logWords)
	var mapped []byte
	for f := range x.forms {
		mapped = x.addWindows(marks, f, coarse, mapped)
	}
	return x
}

func (x *index) addForms(mark int32, value []byte) {
	for c := range x.codes {
		code := &x.codes[c]
		for _, start := range code.starts {
			text := len(x.text)
			x.text = spell(x.text, value, code, start)
			size := len(x.text) - text
			for m := range x.maps {
				if size < window || x.maps[m].plain && c != codePlain {
					continue
				}
				x.forms = append(x.forms, form{mark: mark, text: uint32(text), size: uint32(size),
					code: uint8(c), charmap: uint8(m), start: uint8(start)})
			}
		}
	}
}

// step returns the distance between indexed windows of a form.
func (x *index) step(f *form, coarse int) int {
	s := &x.codes[f.code].strides
	step := s.long * coarse
	switch {
	case x.pieces && (f.charmap == 0 || f.code == codePlain && !x.maps[f.charmap].plain):
		return s.piece * coarse
	case f.size <= 2*token:
		step = s.token
	}
	if f.charmap != 0 {
		step *= s.mapped
	}
	return step
}

// count returns the number of windows if all were indexed.
func (x *index) count(coarse int) int {
	n := 0
	for i := range x.forms {
		n += 2 * int(x.forms[i].size) / max(2, x.step(&x.forms[i], coarse))
	}
	return n
}

// addWindows indexes form f. It returns the scratch buffer for the next call.
func (x *index) addWindows(marks []mark, f, coarse int, mapped []byte) []byte {
	fm := &x.forms[f]
	m, step := &marks[fm.mark], x.step(fm, coarse)
	table := &x.maps[fm.charmap].to
	mapped = mapped[:0]
	for _, c := range x.text[fm.text : fm.text+fm.size] {
		mapped = append(mapped, table[c])
	}
	mapped = append(mapped, 0) // a window is read with the byte after it
	for off := 0; off+window < len(mapped); off++ {
		if off%step > 1 {
			continue // indexes two neighbours, of which one is at an even position
		}
		lo, hi := x.span(fm, off, off+window)
		if m.weight(lo, hi) < thin*float32(hi-lo)/window || isDull(mapped[off:off+window]) {
			continue
		}
		x.insert(hashWindow(binary.LittleEndian.Uint64(mapped[off:])), slot{form: uint16(f + 1), off: uint16(off)})
	}
	return mapped
}

// isDull reports whether a window has roughly three different characters or
// fewer.
func isDull(b []byte) bool {
	var kinds uint64
	for _, c := range b {
		kinds |= 1 << (c & 63)
	}
	return bits.OnesCount64(kinds) <= 3
}

// insert adds a window, unless it is already there sameWindow times.
func (x *index) insert(h uint64, s slot) {
	s.tag = uint32(h)
	same := 0
	i := h >> x.slotShift
	for ; x.slots[i].form != 0; i = (i + 1) & uint64(len(x.slots)-1) {
		if x.slots[i].tag == s.tag {
			if same++; same == sameWindow {
				return
			}
		}
	}
	x.slots[i] = s
	x.filter[h&uint64(len(x.filter)-1)] |= filterBits(h)
}

// span returns the part of the value that the digits from lo to hi of a form
// encode; a byte counts if half of its bits do.
func (x *index) span(f *form, lo, hi int) (from, to int) {
	width := x.codes[f.code].width
	return (int(f.start) + width*lo + 3) / 8, (int(f.start) + width*hi + 4) / 8
}
