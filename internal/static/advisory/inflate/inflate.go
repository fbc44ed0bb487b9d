package inflate

import (
	"encoding/binary"
	"errors"
)

// ErrCorrupt says that the data is broken, ends too early, or gives more than
// there is room for.
var ErrCorrupt = errors.New("the packed data is corrupt")

// Decoder unpacks one block of memory after the other. The zero value is
// ready; it is not safe for concurrent use.
type Decoder struct {
	src  []byte
	pos  int    // of the next byte that is not in bits
	bits uint64 // what was read and not used, the first bit lowest
	have uint   // how many of them count

	dst []byte
	out int

	lit     [litSize]uint32
	dist    [distSize]uint32
	lengths [literals + 32]uint8
	// fixed says that the tables are those of the standard codes.
	fixed bool
	// meaning of the symbols in the three kinds of codes.
	meaning struct {
		ready    bool
		literal  [literals]uint32
		distance [32]uint32
		length   [19]uint32
	}
}

// Decode unpacks src into dst and returns how many bytes came out. What
// follows the end of the data in src is ignored.
func (d *Decoder) Decode(dst, src []byte) (int, error) {
	d.src, d.pos, d.bits, d.have = src, 0, 0, 0
	d.dst, d.out = dst, 0
	defer func() { d.src, d.dst = nil, nil }()
	if !d.meaning.ready {
		d.prepare()
	}
	for {
		d.fill()
		final, kind := d.take(1), d.take(2)
		ok := false
		switch {
		case d.short():
		case kind == 0:
			ok = d.stored()
		case kind == 1:
			ok = d.standard() && d.block()
		case kind == 2:
			ok = d.own() && d.block()
		}
		if !ok {
			return d.out, ErrCorrupt
		}
		if final == 1 {
			return d.out, nil
		}
	}
}

// fill reads bytes until there are 56 bits, or no more bytes.
func (d *Decoder) fill() {
	if d.pos+8 <= len(d.src) && d.have < 64 {
		d.bits |= binary.LittleEndian.Uint64(d.src[d.pos:]) << d.have
		d.pos += int((63 - d.have) >> 3)
		d.have |= 56
		return
	}
	d.bits, d.pos, d.have = bytewise(d.src, d.pos, d.bits, d.have)
}

// take removes n bits. Those that are not there are 0, and the next look at
// have shows it.
func (d *Decoder) take(n uint) uint {
	v := uint(d.bits) & (1<<n - 1)
	d.bits >>= n
	d.have -= n
	return v
}

func (d *Decoder) short() bool { return d.have > 64 }

// stored copies bytes that are not packed.
func (d *Decoder) stored() bool {
	d.pos -= int(d.have >> 3) // back to the next whole byte
	d.bits, d.have = 0, 0
	if d.pos+4 > len(d.src) {
		return false
	}
	n := int(binary.LittleEndian.Uint16(d.src[d.pos:]))
	if uint16(n) != ^binary.LittleEndian.Uint16(d.src[d.pos+2:]) {
		return false
	}
	d.pos += 4
	if n > len(d.src)-d.pos || n > len(d.dst)-d.out {
		return false
	}
	copy(d.dst[d.out:], d.src[d.pos:d.pos+n])
	d.pos += n
	d.out += n
	return true
}

// standard prepares the codes that need no description.
func (d *Decoder) standard() bool {
	if d.fixed {
		return true
	}
	l := d.lengths[:literals]
	for i := range l {
		switch {
		case i < 144:
			l[i] = 8
		case i < 256:
			l[i] = 9
		case i < 280:
			l[i] = 7
		default:
			l[i] = 8
		}
	}
	dist := d.lengths[literals:]
	for i := range dist {
		dist[i] = 5
	}
	d.fixed = build(d.lit[:], litBits, l, d.meaning.literal[:]) && build(d.dist[:], distBits, dist, d.meaning.distance[:])
	return d.fixed
}

// own reads the codes that the block brings.
func (d *Decoder) own() bool {
	d.fixed = false
	d.fill()
	nlit, ndist, n := int(d.take(5))+257, int(d.take(5))+1, int(d.take(4))+4
	if d.short() || nlit > 286 || ndist > 30 {
		return false
	}
	var lengths [19]uint8
	for i := range n {
		d.fill()
		lengths[[19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}[i]] = uint8(d.take(3))
	}
	var codes [1 << 7]uint32
	if d.short() || !build(codes[:], 7, lengths[:], d.meaning.length[:]) || !d.readLengths(&codes, nlit+ndist) {
		return false
	}
	return build(d.lit[:], litBits, d.lengths[:nlit], d.meaning.literal[:]) &&
		build(d.dist[:], distBits, d.lengths[nlit:nlit+ndist], d.meaning.distance[:])
}

// readLengths reads the lengths of both codes, which are packed themselves.
func (d *Decoder) readLengths(codes *[1 << 7]uint32, n int) bool {
	for i := 0; i < n; {
		d.fill()
		e := codes[d.bits&(1<<7-1)]
		d.take(uint(e & 0xff))
		symbol := e >> 16
		if e == 0 || d.short() {
			return false
		}
		if symbol < 16 {
			d.lengths[i] = uint8(symbol)
			i++
			continue
		}
		var again uint
		var length uint8
		switch symbol {
		case 16:
			if i == 0 {
				return false
			}
			length, again = d.lengths[i-1], 3+d.take(2)
		case 17:
			again = 3 + d.take(3)
		default:
			again = 11 + d.take(7)
		}
		if d.short() || int(again) > n-i {
			return false
		}
		for range again {
			d.lengths[i] = length
			i++
		}
	}
	return true
}
