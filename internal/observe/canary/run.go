package canary

// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	alphabetCount = 3
	maxPhases     = 8
	outSize       = 128
	// softest is how many bytes may be between two lines of digits: a line
	// break, perhaps escaped.
	softest = 4
	// firstDigits is how many digits are collected before a run is decoded.
	firstDigits = 64

	noLarge = 1
	noSmall = 2
)

// alphabet is a set of digits that encode width bits each. The position of the
// first byte is unknown, so all phases are decoded: a byte may begin every step
// bits.
type alphabet struct {
	name  string
	value [256]int8
	// like has, by value, the classes of digits that a run may lack.
	like     [64]uint8
	width    int
	least    int // digits that encode the shortest mark
	step     int
	shift    int // step is 1<<shift
	oneCase  bool
	num, den int64
}

// alphabets lists the alphabets; the first contains the digits of the others.
// Shortest is the length of the shortest mark.
func alphabets(shortest int) [alphabetCount]alphabet {
	list := [alphabetCount]alphabet{
		{name: nameBase64, width: 6, step: 2, shift: 1, num: 4, den: 3},
		{name: nameBase32, width: 5, step: 1, num: 8, den: 5, oneCase: true},
		{name: nameHex, width: 4, step: 4, shift: 2, num: 2, den: 1},
	}
	for i := range list {
		list[i].least = max(minRun, (8*min(shortest, minRun)+list[i].width-1)/list[i].width)
	}
	for i, digits := range [alphabetCount]string{base64Digits, base32Digits, hexDigits} {
		a := &list[i]
		for c := range a.value {
			a.value[c] = -1
		}
		for v := range len(digits) {
			a.value[digits[v]] = int8(v)
			if i > 0 {
				a.value[digits[v]|0x20] = int8(v)
				if digits[v] >= 'a' {
					a.value[digits[v]&^0x20] = int8(v)
				}
			}
		}
	}
	list[0].value['-'], list[0].value['_'] = 62, 63
	for v := range base64Digits {
		switch {
		case v < 'Z'-'A'+1:
			list[0].like[v] = noSmall
		case v < 2*('Z'-'A'+1):
			list[0].like[v] = noLarge
		default:
			list[0].like[v] = noSmall | noLarge
		}
	}
	return list
}

// runner decodes one run of digits.
type runner struct {
	count     int // digits so far
	soft      int // bytes of a line break so far
	backslash bool
	letters   byte // 'A' or 'a', once a letter was there
	// like has the classes of digits that the run lacks so far: base64 soon has
	// letters of both cases; words, paths, numbers and the other alphabets lack
	// one.
	like    uint8
	waiting bool
	first   [firstDigits]byte
	firstAt int64

	acc  uint64
	bits int64 // bits of the run
	next int64 // bit at which the next byte begins
	to   *phases
}

// phases are the nodes for the decoded bytes, by bit offset. Most nodes need
// none.
type phases struct {
	children [maxPhases]*node
	written  [maxPhases]int64
	pending  [maxPhases]int
	out      [maxPhases][outSize]byte
}

// feedRuns feeds the bytes between two positions to all runners. The end of the
// run ends it for all of them; the position after it is returned.
func (n *node) feedRuns(from, to int64) int64 {
	list := &n.scan.set.alphabets
	at, ended := n.runs[0].feed(n, &list[0], from, to, true)
	for i := 1; i < alphabetCount; i++ {
		n.runs[i].feed(n, &list[i], from, at, false)
		if ended {
			n.runs[i].stop(n, &list[i])
		}
	}
	n.active = !ended
	return at
}

func (n *node) flushRuns() {
	if n.active {
		for i := range n.runs {
			n.runs[i].flush()
		}
	}
}

// feed decodes the bytes between two positions. The leading runner stops where
// its run ends.
func (r *runner) feed(n *node, a *alphabet, from, to int64, leads bool) (int64, bool) {
	b := n.buf[from-n.base : to-n.base]
	for i, c := range b {
		v := a.value[c]
		if v < 0 || r.backslash {
			if r.soften(c) {
				continue
			}
			if r.stop(n, a); v < 0 {
				if leads {
					return from + int64(i) + 1, true
				}
				continue
			}
		}
		if a.oneCase && c >= 'A' {
			if r.letters != 0 && r.letters != c&^0x1f {
				r.stop(n, a)
			}
			r.letters = c &^ 0x1f
		}
		switch {
		case r.to == nil:
			r.collect(n, a, v, from+int64(i))
		case r.soft > 0:
			r.goOn(from + int64(i))
			fallthrough
		default:
			r.push(a, v)
		}
	}
	return to, false
}

// soften reports whether c may be part of a line break inside the run.
func (r *runner) soften(c byte) bool {
	if r.count < minRun && !r.waiting || r.soft >= softest {
		return false
	}
	escaped := r.backslash && (c == 'n' || c == 'r')
	if r.backslash && !escaped {
		return false
	}
	r.backslash = c == '\\'
	if !escaped && !isSoft(c) {
		return false
	}
	r.soft++
	return true
}

// isSoft reports whether a line break, or an escaped one, may begin with c.
func isSoft(c byte) bool { return c == '\n' || c == '\r' || c == '\\' }

// collect keeps the first digits: most runs are short and uninteresting, which
// can be seen without decoding them.
func (r *runner) collect(n *node, a *alphabet, v int8, at int64) {
	if r.count == 0 {
		r.firstAt, r.like = at, 0xff
	}
	r.first[r.count], r.soft = byte(v), 0
	r.like &= a.like[v]
	if r.count++; r.count < firstDigits {
		return
	}
	if r.like != 0 {
		r.count, r.waiting = 0, true
		return
	}
	r.begin(n, a)
}

// begin starts decoding the run.
func (r *runner) begin(n *node, a *alphabet) {
	r.to = n.scan.set.phases.Get().(*phases)
	for p := range 8 / a.step {
		r.to.children[p] = n.child(a.name, r.firstAt, a.num, a.den)
	}
	r.to.children[0].deflateAt = plausible
	for _, v := range r.first[:r.count] {
		r.push(a, int8(v))
	}
}

// promising checks a short run in all phases.
func (r *runner) promising(n *node, a *alphabet) bool {
	var out [firstDigits]byte
	for p := range 8 / a.step {
		size, acc, have := 0, uint32(0), -p*a.step
		for _, v := range r.first[:r.count] {
			acc = acc<<a.width | uint32(v)
			if have += a.width; have >= 8 {
				have -= 8
				out[size] = byte(acc >> have)
				size++
			}
		}
		if n.promising(out[:size], noByte) || p == 0 && plausibleDeflate(out[:size], true) {
			return true
		}
	}
	return false
}

// goOn records where the next line begins.
func (r *runner) goOn(at int64) {
	r.soft = 0
	for p, c := range r.to.children {
		if c != nil {
			c.anchor(r.to.written[p]+int64(r.to.pending[p]), at)
		}
	}
}

// push adds one digit and writes the bytes that it completes.
func (r *runner) push(a *alphabet, v int8) {
	r.acc = r.acc<<a.width | uint64(v)
	r.bits += int64(a.width)
	for ; r.next+8 <= r.bits; r.next += int64(a.step) {
		p := int(r.next&7) >> a.shift & (maxPhases - 1)
		k := r.to.pending[p]
		r.to.out[p][k&(outSize-1)] = byte(r.acc >> ((r.bits - 8 - r.next) & 63))
		if r.to.pending[p] = k + 1; k+1 == outSize {
			r.to.flush(p)
		}
	}
}

func (r *runner) flush() {
	if r.to == nil {
		return
	}
	for p, k := range r.to.pending {
		if k > 0 {
			r.to.flush(p)
		}
	}
}

func (t *phases) flush(p int) {
	t.children[p].write(t.out[p][:t.pending[p]])
	t.written[p] += int64(t.pending[p])
	t.pending[p] = 0
}

// stop ends the run.
func (r *runner) stop(n *node, a *alphabet) {
	if r.to == nil && r.count >= a.least && r.like == 0 && r.promising(n, a) {
		r.begin(n, a)
	}
	if r.to != nil {
		r.flush()
		for p, c := range r.to.children {
			if c != nil {
				c.finish()
			}
			r.to.children[p], r.to.written[p] = nil, 0
		}
		n.scan.set.phases.Put(r.to)
	}
	r.count, r.soft, r.backslash, r.letters, r.waiting, r.acc, r.bits, r.next, r.to = 0, 0, false, 0, false, 0, 0, 0, nil
}

// isPoor reports whether the runners would find nothing in a short run, without
// running them: that is the case for most. Runs of the smaller alphabets are
// counted in three 16-bit parts of one word.
func (n *node) isPoor(b []byte) bool {
	const ones, long = 1<<32 | 1<<16 | 1, firstDigits - minRun
	set := n.scan.set
	a := &set.alphabets[0]
	r := runner{like: 0xff}
	var count, most uint64
	for i, c := range b {
		v := a.value[c]
		r.first[i&(firstDigits-1)] = byte(v)
		r.like &= a.like[v&63]
		count = (count + ones) & set.counters[c]
		most |= count
	}
	if r.count = len(b); r.count >= a.least && r.like == 0 && r.promising(n, a) {
		return false
	}
	if most&long != 0 && !n.arePoor(b, &set.alphabets[2]) {
		return false
	}
	return most&(long<<16|long<<32) == 0 || n.arePoor(b, &set.alphabets[1])
}

// arePoor is isPoor for the runs of a smaller alphabet in a run.
func (n *node) arePoor(b []byte, a *alphabet) bool {
	var r runner
	for _, c := range b {
		v := a.value[c]
		letter := c &^ 0x1f
		if v < 0 || a.oneCase && c >= 'A' && r.letters != 0 && r.letters != letter {
			if r.count >= a.least && r.promising(n, a) {
				return false
			}
			r.count, r.letters = 0, 0
		}
		if v < 0 {
			continue
		}
		if c >= 'A' {
			r.letters = letter
		}
		r.first[r.count&(firstDigits-1)] = byte(v)
		r.count++
	}
	return r.count < a.least || !r.promising(n, a)
}

// counterMasks has, for each byte, the counters of the alphabets it is a digit of:
// hexadecimal, and base32 in large and small letters.
func counterMasks() (t [256]uint64) {
	const counter = 1<<16 - 1
	for c := range t {
		if hexValue(byte(c)) >= 0 {
			t[c] |= counter
		}
		number := c >= '2' && c <= '7'
		if number || c >= 'A' && c <= 'Z' {
			t[c] |= counter << 16
		}
		if number || c >= 'a' && c <= 'z' {
			t[c] |= counter << 32
		}
	}
	return t
}
