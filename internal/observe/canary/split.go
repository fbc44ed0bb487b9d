package canary

// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	minPeriod = 2 // a character and its separator
	maxPeriod = 9 // seven characters and a line break; longer pieces are recognised as they are
	// maxSplits is how often separators are removed between two decodings.
	maxSplits = 2
	// farthestBack is how far back earlier bytes are searched again.
	farthestBack = 64
	// namePairs is a split into pairs, until tidy renames it.
	namePairs = "pairs"
)

// splitter removes separators at equal distances.
type splitter struct {
	busy   bool
	child  *node // set once out is full, or there is reason to search
	name   string
	period int64
	seps   int64 // bytes of one separator
	sep    [2]byte
	from   int64 // the first piece begins here, or would
	at     int64 // fed before
	out    [outSize / 2]byte
	size   int
}

// separates reports whether the byte at i, which also occurs one and two
// periods before, is plausible as a separator.
func separates(b []byte, i, period int) bool {
	switch b[i] {
	case '.', '-', '_', ':', '\n', '\r':
		return true
	case 0:
		return period == 2 // zeros occur in all binary numbers
	case '%', '\\':
		return false // handled by escaper
	default:
		// A separator of words and values must occur once more.
		return i >= 3*period && b[i] == b[i-3*period]
	}
}

// start begins where the bytes at, one and two periods before are the same
// separator. The second byte of a separator is accepted without its third
// occurrence: it may not have arrived yet.
func (s *splitter) start(n *node, at, period int64) {
	b, i, k := n.buf, int(at-n.base), int(period)
	s.period, s.seps, s.sep[0] = period, 1, b[i]
	if next := b[i-k+1]; k > 2 && next == b[i-2*k+1] && (next == '\n' || next == ' ') {
		s.seps, s.sep[1] = 2, next
	}
	s.name = nameSplit
	switch {
	case period == 2 && b[i] == 0:
		s.name = nameUTF16
	case period-s.seps == 2:
		s.name = namePairs
	}
	n.splitting++
	s.from = s.back(n, at-3*period+s.seps)
	s.busy, s.at, s.size = true, max(s.from, 0), 0
}

// begin searches the bytes without separators.
func (s *splitter) begin(n *node) {
	s.child = n.child(s.name, max(s.from, 0), s.period, s.period-s.seps)
	s.child.depth-- // splits are bounded by maxSplits instead
	s.child.splits, s.child.wide, s.child.sep = n.splits+1, s.period == 2, s.sep[0]
}

// back moves back to where the separators begin, up to a limit.
func (s *splitter) back(n *node, from int64) int64 {
	for limit := max(from-farthestBack, 0); from-s.period >= limit; from -= s.period {
		if i := from - s.seps - n.base; n.buf[i] != s.sep[0] || s.seps == 2 && n.buf[i+1] != s.sep[1] {
			break
		}
	}
	return from
}

// feed handles the bytes up to a position, or until a separator is missing.
func (s *splitter) feed(n *node, to int64) {
	if !s.busy {
		return
	}
	width := s.period - s.seps
	phase := (s.at - s.from) % s.period // counted from here on: a division per byte would dominate the time
	for ; s.at < to; s.at++ {
		c, rest := n.buf[s.at-n.base], phase-width
		if phase++; phase == s.period {
			phase = 0
		}
		if rest >= 0 {
			if c != s.sep[rest&1] {
				s.stop(n)
				return
			}
			continue
		}
		s.out[s.size] = c
		if s.size++; s.size == len(s.out) {
			if s.child == nil {
				s.begin(n)
			}
			s.flush()
		}
	}
	if s.child != nil {
		s.flush()
	}
}

func (s *splitter) flush() {
	s.child.write(s.out[:s.size])
	s.size = 0
}

func (s *splitter) stop(n *node) {
	if !s.busy {
		return
	}
	if s.child == nil && n.promising(s.out[:s.size], s.sep[0]) {
		s.begin(n)
	}
	if s.child != nil {
		s.flush()
		s.child.finish()
	}
	s.busy, s.child = false, nil
	n.splitting--
}
