package inflate

import "math/bits"

const (
	maxBits  = 15 // of a code
	literals = 288
	litBits  = 10
	distBits = 8
	// Codes longer than the first level have a table of their own below it,
	// at most one for each two of them.
	litSize  = 1<<litBits + literals/2<<(maxBits-litBits)
	distSize = 1<<distBits + 32/2<<(maxBits-distBits)
)

// An element of a table says what a code means: in the lowest byte how many
// bits it has, then how many bits follow it, and above that the value. 0 is a
// code that does not exist.
const (
	isLiteral = 0x80 << 8
	isEnd     = 0x40 << 8
	isTable   = 0x20 << 8 // the value is where the second level begins
	extraMask = 0x0f
)

// build fills table for the code with these lengths. size is how many bits
// the first level looks at, meaning what each symbol stands for.
func build(table []uint32, size int, lengths []uint8, meaning []uint32) bool {
	var count [maxBits + 2]int
	for _, n := range lengths {
		count[n]++
	}
	longest := maxBits
	for longest > 0 && count[longest] == 0 {
		longest--
	}
	clear(table[:1<<size])
	if longest == 0 {
		return true // an error if it is used
	}
	// The symbols in the order of their codes: the short ones first.
	var next [maxBits + 2]int
	left := 1
	for n := 1; n <= longest; n++ {
		next[n+1] = next[n] + count[n]
		if left = left<<1 - count[n]; left < 0 {
			return false // more codes than there can be
		}
	}
	// A code must be complete, unless it has one symbol only.
	if left > 0 && !(longest == 1 && count[1] == 1) {
		return false
	}
	var sorted [literals]uint16
	for symbol, n := range lengths {
		if n > 0 {
			sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	b := builder{table: table, size: size, below: max(longest-size, 0), free: 1 << size, meaning: meaning}
	b.fill(sorted[:], &count, longest)
	return true
}

// builder fills a table in the order of the codes.
type builder struct {
	table []uint32
	size  int
	// below is how many bits the second level looks at, free where there is
	// room for the next.
	below, free int
	meaning     []uint32
	code        uint // its first bit is the lowest, as in the data
}

// fill enters the codes of each length. A code stands wherever its bits are
// at the front: what there is for n bits is there twice for n+1.
func (b *builder) fill(sorted []uint16, count *[maxBits + 2]int, longest int) {
	i := 0
	for n := 1; n <= longest; n++ {
		if n <= b.size {
			copy(b.table[1<<(n-1):1<<n], b.table[:1<<(n-1)])
		}
		for range count[n] {
			element := b.meaning[sorted[i]] | uint32(n)
			i++
			if n <= b.size {
				b.table[b.code] = element
			} else {
				b.second(n, element)
			}
			b.advance(n)
		}
	}
	for n := longest; n < b.size; n++ {
		copy(b.table[1<<n:2<<n], b.table[:1<<n])
	}
}

// advance adds one to a code of n bits whose first bit is the lowest.
func (b *builder) advance(n int) {
	ones := uint(1)<<n - 1
	if b.code == ones {
		return // it was the last
	}
	bit := uint(1) << (bits.Len(b.code^ones) - 1)
	b.code = b.code&(bit-1) | bit
}

// second enters a code that is longer than the first level.
func (b *builder) second(n int, element uint32) {
	head := b.code & (1<<b.size - 1)
	if b.table[head]&isTable == 0 {
		clear(b.table[b.free : b.free+1<<b.below])
		b.table[head] = isTable | uint32(b.free)<<16 | uint32(b.below)
		b.free += 1 << b.below
	}
	second := b.table[b.table[head]>>16:]
	for i := int(b.code >> b.size); i < 1<<b.below; i += 1 << (n - b.size) {
		second[i] = element
	}
}

// meaningOfLiteral: bytes, the end, and how many bytes to copy.
func meaningOfLiteral(symbol int) uint32 {
	switch {
	case symbol < 256:
		return isLiteral | uint32(symbol)<<16
	case symbol == 256:
		return isEnd
	case symbol < 265:
		return uint32(symbol-257+3) << 16
	case symbol < 285:
		extra := uint32(symbol-261) / 4
		return (3+(4+uint32(symbol-265)%4)<<extra)<<16 | extra<<8
	case symbol == 285:
		return 258 << 16
	}
	return 0 // such symbols are in the standard code, but not in data
}

// meaningOfDistance: how far back to copy from, less one.
func meaningOfDistance(symbol int) uint32 {
	switch {
	case symbol < 4:
		return uint32(symbol) << 16
	case symbol < 30:
		extra := uint32(symbol-2) / 2
		return (2+uint32(symbol)%2)<<extra<<16 | extra<<8
	}
	return isEnd // as above
}

// prepare writes down what the symbols mean.
func (d *Decoder) prepare() {
	for i := range d.meaning.literal {
		d.meaning.literal[i] = meaningOfLiteral(i)
	}
	for i := range d.meaning.distance {
		d.meaning.distance[i] = meaningOfDistance(i)
	}
	for i := range d.meaning.length {
		d.meaning.length[i] = uint32(i) << 16
	}
	d.meaning.ready = true
}
