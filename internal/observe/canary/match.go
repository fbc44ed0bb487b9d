package canary

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	excerptSize = 64
	maxTracks   = 64 // at one position of one node
	// keyless is how many bytes must match under an unknown key to have full
	// weight.
	keyless = 16
)

// How the bytes of a track relate to its form.
const (
	asIs = iota
	folded
	xored
	xorFolded
)

// track is a stretch of bytes that matches a form and is being extended.
type track struct {
	form    int32
	reverse bool
	mode    uint8
	key     byte
	open    bool
	// from and to are its range in the node, lo and hi in the form.
	from, to int64
	lo, hi   int
	outer    int64 // where it begins in the stream
	excerpt  []byte
}

// four is how many bytes are needed to look up four windows at once.
const four = 3*2 + window + 1

// windows looks up every second complete window. On ordinary traffic this loop
// takes all the time.
func (n *node) windows() {
	filter := n.scan.index.filter
	if len(n.buf) < window || len(filter) == 0 {
		return
	}
	b := n.buf[:len(n.buf)+1] // there is always a spare byte: see write
	i := n.windowAt           // at an even position
	for ; i+four <= len(b); i += 8 {
		q := (*[four]byte)(b[i:])
		h0, h1 := hashWindow(binary.LittleEndian.Uint64(q[:])), hashWindow(binary.LittleEndian.Uint64(q[2:]))
		h2, h3 := hashWindow(binary.LittleEndian.Uint64(q[4:])), hashWindow(binary.LittleEndian.Uint64(q[6:]))
		if may(filter, h0) {
			n.candidate(i, h0)
		}
		if may(filter, h1) {
			n.candidate(i+2, h1)
		}
		if may(filter, h2) {
			n.candidate(i+4, h2)
		}
		if may(filter, h3) {
			n.candidate(i+6, h3)
		}
	}
	for ; i+window < len(b); i += 2 {
		if h := hashWindow(binary.LittleEndian.Uint64(b[i:])); may(filter, h) {
			n.candidate(i, h)
		}
	}
	n.windowAt = i
}

// candidate compares the window at i with the index entries for its hash.
func (n *node) candidate(i int, h uint64) {
	x := n.scan.index
	tag, mask := uint32(h), uint64(len(x.slots)-1)
	for j := h >> x.slotShift; x.slots[j].form != 0; j = (j + 1) & mask {
		if s := x.slots[j]; s.tag == tag {
			n.verify(i, int32(s.form-1), int(s.off))
		}
	}
}

// verify starts a track if the window at i matches the form at off.
func (n *node) verify(i int, form int32, off int) {
	f := &n.scan.index.forms[form]
	if len(n.tracks) >= maxTracks {
		if n.forget(i); len(n.tracks) >= maxTracks {
			return
		}
	}
	for _, reverse := range [2]bool{false, true} {
		if n.tracked(form, reverse, n.base+int64(i), off) {
			return
		}
		t := track{form: form, reverse: reverse, from: n.base + int64(i), to: n.base + int64(i) + window, lo: off, hi: off + window, open: true}
		if !n.relate(&t, f, i) {
			continue
		}
		n.extendBack(&t, f, i)
		t.outer = n.outer(t.from)
		n.extend(&t, f)
		n.tracks = append(n.tracks, t)
		return
	}
}

// tracked reports whether a track already covers the window.
func (n *node) tracked(form int32, reverse bool, at int64, off int) bool {
	for k := range n.tracks {
		t := &n.tracks[k]
		if t.form != form || t.reverse != reverse || at < t.from || at+window > t.to {
			continue
		}
		if !reverse && at-t.from == int64(off-t.lo) || reverse && at-t.from == int64(t.hi-off-window) {
			return true
		}
	}
	return false
}

// relate finds the transformation between a window and the form, the simplest
// first.
func (n *node) relate(t *track, f *form, i int) bool {
	x := n.scan.index
	text, table := x.text[int(f.text)+t.lo:int(f.text)+t.hi], &x.maps[f.charmap].to
	at := func(k int) (have, want byte) {
		if t.reverse {
			return n.buf[i+k], table[text[window-1-k]]
		}
		return n.buf[i+k], table[text[k]]
	}
	for t.mode = asIs; t.mode <= xorFolded; t.mode++ {
		have, want := at(0)
		t.key = 0
		switch t.mode {
		case xored:
			t.key = have ^ want
		case xorFolded:
			t.key = (have ^ want) &^ 0x20
		}
		if t.mode >= xored && t.key == 0 {
			continue
		}
		k := 0
		for ; k < window; k++ {
			if have, want := at(k); !t.agrees(have, want, f.code) {
				break
			}
		}
		if k == window {
			return true
		}
	}
	return false
}

// agrees compares one byte with the form's.
func (t *track) agrees(have, want byte, code uint8) bool {
	switch t.mode {
	case xored:
		return have^t.key == want
	case xorFolded:
		return (have^t.key^want)&^0x20 == 0
	}
	if have == want {
		return true
	}
	if code == code64 && (have == '-' && want == '+' || have == '_' && want == '/') {
		return true
	}
	return (t.mode == folded || code == codeHex || code == code32) && have^want == 0x20 && lowerByte(have) == lowerByte(want)
}

// extendBack extends the track backwards, as far as the node's history goes.
func (n *node) extendBack(t *track, f *form, i int) {
	x := n.scan.index
	text, table := x.text[f.text:f.text+f.size], &x.maps[f.charmap].to
	for k := i - 1; k >= 0 && k >= i-history; k-- {
		next := t.lo - 1
		if t.reverse {
			next = t.hi
		}
		if next < 0 || next >= len(text) || !t.agrees(n.buf[k], table[text[next]], f.code) {
			return
		}
		if t.from--; t.reverse {
			t.hi++
		} else {
			t.lo--
		}
	}
}

// extend extends the track over the available bytes, and closes it at the first
// difference.
func (n *node) extend(t *track, f *form) {
	x := n.scan.index
	text, table := x.text[f.text:f.text+f.size], &x.maps[f.charmap].to
	for k := int(t.to - n.base); k < len(n.buf); k++ {
		next := t.hi
		if t.reverse {
			next = t.lo - 1
		}
		if next < 0 || next >= len(text) || !t.agrees(n.buf[k], table[text[next]], f.code) {
			t.open = false
			break
		}
		if t.to++; t.reverse {
			t.lo--
		} else {
			t.hi++
		}
	}
	if next := t.hi; !t.reverse && next == len(text) || t.reverse && t.lo == 0 {
		t.open = false
	}
	n.quote(t)
	if !t.open {
		n.close(t, f)
	}
}

// quote stores the beginning of the track while it is in memory.
func (n *node) quote(t *track) {
	have := len(t.excerpt)
	for k := t.from + int64(have); k < t.to && have < excerptSize; k, have = k+1, have+1 {
		c := n.buf[k-n.base]
		if c < ' ' || c > '~' {
			c = '.'
		}
		t.excerpt = append(t.excerpt, c)
	}
}

// follow extends the open tracks over the new bytes.
func (n *node) follow() {
	for k := range n.tracks {
		if t := &n.tracks[k]; t.open {
			n.extend(t, &n.scan.index.forms[t.form])
		}
	}
}

// forget drops the tracks that no later window can be in.
func (n *node) forget(windowAt int) {
	kept := n.tracks[:0]
	for _, t := range n.tracks {
		if t.open || t.to > n.base+int64(windowAt) {
			kept = append(kept, t)
		}
	}
	n.tracks = kept
}

// close reports a track.
func (n *node) close(t *track, f *form) {
	x := n.scan.index
	lo, hi := x.span(f, t.lo, t.hi)
	chain := n.chainOf(t, f)
	if n.again && slices.Contains(chain[1:], chain[0]) {
		return // encoded and decoded again
	}
	from, to := t.outer, n.outerEnd(t.to)
	if from > to {
		from, to = to-1, from+1 // read backwards
	}
	n.scan.report(piece{
		mark: int(f.mark), lo: lo, hi: min(hi, n.scan.set.marks[f.mark].size),
		from: from, to: to, chain: chain, excerpt: string(t.excerpt), vague: t.mode >= xored && t.to-t.from < keyless,
	})
}

// chainOf returns the encodings of the track, from the outside in.
func (n *node) chainOf(t *track, f *form) []string {
	x := n.scan.index
	chain := append([]string(nil), n.chain...)
	if t.mode >= xored {
		// A constant byte beside every other one is UTF-16 under a key.
		if k := len(chain) - 1; n.wide && t.key == n.sep {
			chain = append(chain[:k], fmt.Sprintf("xor(%02x)", t.key), nameUTF16)
		} else {
			chain = append(chain, fmt.Sprintf("xor(%02x)", t.key))
		}
	}
	if t.reverse {
		chain = append(chain, nameReverse)
	}
	if cased := f.code != codeHex && f.code != code32; cased && (t.mode == folded || t.mode == xorFolded) {
		chain = append(chain, nameFold)
	}
	chain = append(chain, x.maps[f.charmap].names...)
	if f.code != codePlain {
		chain = append(chain, x.codes[f.code].name)
	}
	return tidy(chain)
}
