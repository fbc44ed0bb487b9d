package canary

const (
	// allowAtFirst and allowPerByte are how many decoded bytes are searched:
	// so many for any stream, so many more for each of its bytes.
	allowAtFirst = 1 << 20
	allowPerByte = 16
	// nodeCost is what it takes to begin, in bytes searched.
	nodeCost = 64
)

// scan is what the nodes of one stream share.
type scan struct {
	set       *Set
	index     *index
	report    func(piece)
	allow     int64
	cut       bool
	inflaters int
	big       int
}

// piece is a stretch of a mark that was recognised.
type piece struct {
	mark     int
	lo, hi   int   // in the value
	from, to int64 // in the stream
	chain    []string
	excerpt  string
	vague    bool // the comparison was a weak one
}

// pay is called for all bytes that are searched: those of the stream add to
// the allowance, those that were decoded are taken from it.
func (s *scan) pay(n *node, k int) bool {
	if len(n.chain) == 0 {
		s.allow += allowPerByte * int64(k)
		return true
	}
	return s.charge(k)
}

func (s *scan) charge(k int) bool {
	if s.allow < int64(k) {
		s.allow, s.cut = 0, true
		return false
	}
	s.allow -= int64(k)
	return true
}

// broke reports that nothing more can be paid for.
func (s *scan) broke() bool { return s.allow <= 0 }
