package canary

// plausible is how many bytes are read to recognise deflated data, which has no
// magic number.
const plausible = 48

// bitReader reads from the low bit up.
type bitReader struct {
	b  []byte
	at int
}

func (r *bitReader) left() int { return len(r.b)*8 - r.at }

// take reads n bits; after the end it returns ones, which begin no code.
func (r *bitReader) take(n int) int {
	v := 0
	for i := range n {
		if r.at >= len(r.b)*8 {
			v |= 1 << i
			continue
		}
		v |= int(r.b[r.at>>3]>>(r.at&7)&1) << i
		r.at++
	}
	return v
}

// code reads the bits of a Huffman code, which are in reverse order.
func (r *bitReader) code(n, v int) int {
	for range n {
		v = v<<1 | r.take(1)
	}
	return v
}

// plausibleDeflate reports whether b may be deflated data, or its beginning if
// it is not the whole. Less than one percent of random inputs pass.
func plausibleDeflate(b []byte, whole bool) bool {
	if len(b) < 6 {
		return !whole
	}
	r := &bitReader{b: b, at: 1}
	switch r.take(2) {
	case 0:
		return b[0]>>3 == 0 && b[1]^b[3] == 0xff && b[2]^b[4] == 0xff
	case 1:
		return plausibleFixed(r, whole)
	case 2:
		return plausibleDynamic(r, whole)
	default:
		return false
	}
}

// plausibleDynamic checks that the first code of a block is complete.
func plausibleDynamic(r *bitReader, whole bool) bool {
	literals, distances, lengths := r.take(5), r.take(5), r.take(4)+4
	if literals > 29 || distances > 29 {
		return false
	}
	if r.left() < 3*lengths {
		return !whole
	}
	used := 0
	for range lengths {
		if n := r.take(3); n > 0 {
			used += 1 << (7 - n)
		}
	}
	return used == 1<<7
}

// plausibleFixed decodes the first symbols of a block with the fixed code:
// random bytes soon refer to data before the beginning.
func plausibleFixed(r *bitReader, whole bool) bool {
	written := 0
	for r.left() >= 7 {
		if !whole && r.left() < 7+4+5+13 {
			return true
		}
		switch code := r.code(7, 0); {
		case code == 0:
			return written > 8 || whole && r.left() < 64 // an empty block may follow
		case code < 0x18:
			length, distance, ok := fixedCopy(r, code)
			if !ok || distance > written {
				return false
			}
			written += length
		default:
			if code = r.code(1, code); code >= 0xc8 {
				r.take(1)
			} else if code >= 0xc0 {
				return false // such lengths are rare, and half of their codes are unused
			}
			written++
		}
	}
	return false
}

// fixedCopy reads the rest of a length, approximately, and a distance.
func fixedCopy(r *bitReader, code int) (length, distance int, ok bool) {
	length = code + 2
	if code > 8 {
		r.take((code - 5) / 4)
		length = 66 // at most
	}
	d := r.code(5, 0)
	switch {
	case d > 29:
		return 0, 0, false
	case d < 4:
		return length, d + 1, true
	default:
		extra := d/2 - 1
		return length, 1 + (2+d&1)<<extra + r.take(extra), true
	}
}
