package canary

import "math/bits"

// looker finds, 32 bytes at a time, where long runs of digits begin and where
// separators are regular.
type looker struct {
	at     int64  // searched up to here
	digits uint64 // bits of the last 64 bytes, newest on top: base64 digits
	fedTo  int64  // the runners have been fed up to here
	breaks uint64 // bits of the last 64 bytes, newest on top: possible separators
}

func (l *looker) reset() { *l = looker{} }

const (
	blockSize = 32
	minRun    = 16 // digits that are worth decoding

	breakBit = 1 << blockSize
)

// breaks has bit 0 for bytes that are no base64 digit and bit 32 for possible
// separators: printable characters other than letters and digits, line breaks,
// and the zeros of UTF-16.
func breaks() (t [256]uint64) {
	for c := range t {
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alnum && (c >= ' ' && c <= '~' || c == '\n' || c == '\r' || c == '\t' || c == 0) {
			t[c] |= breakBit
		}
		if !alnum && c != '+' && c != '/' && c != '-' && c != '_' {
			t[c] |= 1
		}
	}
	return t
}

func (n *node) findRuns(final bool) {
	table := &n.scan.set.breaks
	for n.look.at < n.end() {
		from := int(n.look.at - n.base)
		b := n.buf[from:min(from+blockSize, len(n.buf))]
		var m uint64
		if len(b) == blockSize {
			m = mask(table, (*[blockSize]byte)(b))
		} else {
			for i, c := range b {
				m |= table[c] << (i & 31)
			}
		}
		n.look.at += int64(len(b))
		n.look.digits = n.look.digits>>len(b) | uint64(^uint32(m))<<(64-len(b))
		n.findDigits(false)
		n.findSplit(m>>blockSize, len(b))
	}
	if final {
		n.findDigits(true)
	}
	n.flushRuns()
}

// mask collects the table's bits of 32 bytes, in two halves. The shifts are
// constants.
func mask(table *[256]uint64, b *[blockSize]byte) (m uint64) {
	for i := 0; i < blockSize; i += 8 {
		p := table[b[i]] | table[b[i+1]]<<1 | table[b[i+2]]<<2 | table[b[i+3]]<<3 |
			table[b[i+4]]<<4 | table[b[i+5]]<<5 | table[b[i+6]]<<6 | table[b[i+7]]<<7
		m |= p << (i & 31)
	}
	return m
}

// findDigits handles the runs found so far. A run that has not ended waits for
// more bytes, unless none will come.
func (n *node) findDigits(final bool) {
	l := &n.look
	for {
		if n.active {
			if l.fedTo = n.feedRuns(l.fedTo, l.at); n.active || l.fedTo == l.at {
				if !n.active {
					l.digits = 0
				}
				return
			}
			// Only bytes after the run can begin another.
			l.digits &= ^uint64(0) << (64 - (l.at - l.fedTo))
		}
		r := runsOf(l.digits)
		if r == 0 {
			return
		}
		first := bits.TrailingZeros64(r)
		size := bits.TrailingZeros64(^(l.digits >> first))
		if size == firstDigits-first && first >= blockSize && !final {
			return // it is still short, and most runs end soon
		}
		if size < firstDigits-first {
			b := n.buf[int(l.at-n.base)-64+first:]
			if !isSoft(b[size]) && n.isPoor(b[:size]) {
				l.digits &= ^uint64(0) << (first + size)
				continue
			}
		}
		n.active, l.fedTo = true, l.at-64+int64(first)
	}
}

// runsOf has a bit for every digit that is followed by minRun-1 others.
func runsOf(digits uint64) uint64 {
	r := digits & (digits >> 1)
	r &= r >> 2
	r &= r >> 4
	return r & (r >> 8)
}

// findSplit looks for three separators at equal distances; m has a bit for
// every possible one.
func (n *node) findSplit(m uint64, size int) {
	l := &n.look
	l.breaks = l.breaks>>size | m<<(64-size)
	if n.splits >= maxSplits || m == 0 && n.splitting == 0 {
		return
	}
	b, start := l.breaks, int(l.at-n.base)-64
	fresh := b &^ (1<<((64-size)&63) - 1)
	for k := minPeriod; k <= maxPeriod; k++ {
		hits := fresh & (b << (k & 63)) & (b << (2 * k & 63))
		for ; hits != 0; hits &= hits - 1 {
			i := start + bits.TrailingZeros64(hits)
			if c := n.buf[i]; c != n.buf[i-k] || c != n.buf[i-2*k] || c == n.buf[i-1] || !separates(n.buf, i, k) {
				continue
			}
			s := &n.split[k-minPeriod]
			if s.feed(n, n.base+int64(i)+1); !s.busy {
				s.start(n, n.base+int64(i), int64(k))
			}
		}
	}
	if n.splitting > 0 {
		for i := range n.split {
			n.split[i].feed(n, l.at)
		}
	}
}
