package inflate

import "encoding/binary"

// block unpacks with the tables until the block ends. The state is in local
// variables: this loop is where the time goes.
func (d *Decoder) block() bool {
	src, pos, buf, have := d.src, d.pos, d.bits, d.have
	dst, out := d.dst, d.out
	for {
		// The longest sequence below takes 48 bits.
		if pos+8 <= len(src) {
			buf |= binary.LittleEndian.Uint64(src[pos:]) << (have & 63)
			pos += int((63 - have) >> 3)
			have |= 56
		} else {
			buf, pos, have = bytewise(src, pos, buf, have)
		}

		e := d.lit[buf&(1<<litBits-1)]
		if e&isTable != 0 {
			e = d.lit[uint64(e>>16)+buf>>litBits&(1<<(e&0xff)-1)]
		}
		n := uint(e & 0xff)
		if n == 0 || n > have {
			return false
		}
		buf >>= n
		have -= n
		if e&isLiteral != 0 {
			if out >= len(dst) {
				return false
			}
			dst[out] = byte(e >> 16)
			out++
			continue
		}
		if e&isEnd != 0 {
			d.pos, d.bits, d.have, d.out = pos, buf, have, out
			return true
		}
		n = uint(e>>8) & extraMask
		length := int(e>>16) + int(buf&(1<<n-1))
		buf >>= n
		used := n
		if length < 3 {
			return false
		}

		e = d.dist[buf&(1<<distBits-1)]
		if e&isTable != 0 {
			e = d.dist[uint64(e>>16)+buf>>distBits&(1<<(e&0xff)-1)]
		}
		n = uint(e & 0xff)
		if n == 0 || e&isEnd != 0 {
			return false
		}
		buf >>= n
		used += n
		n = uint(e>>8) & extraMask
		back := int(e>>16) + int(buf&(1<<n-1)) + 1
		buf >>= n
		if used += n; used > have {
			return false
		}
		have -= used
		if back > out || length > len(dst)-out {
			return false
		}
		out = repeat(dst, out, back, length)
	}
}

// bytewise reads what is left at the end of the data.
func bytewise(src []byte, pos int, buf uint64, have uint) (uint64, int, uint) {
	for have <= 56 && pos < len(src) {
		buf |= uint64(src[pos]) << have
		pos++
		have += 8
	}
	return buf, pos, have
}

// repeat copies length bytes from back bytes before out. What is copied may
// itself be copied: a pattern grows.
func repeat(dst []byte, out, back, length int) int {
	from, end := out-back, out+length
	for out < end {
		out += copy(dst[out:end], dst[from:out])
	}
	return out
}
