package canary

const (
	// allowAtFirst is how many decoded bytes are searched for any stream,
	// allowPerByte how many more for each of its bytes.
	allowAtFirst = 4 << 20
	allowPerByte = 16
	// nodeCost is the fixed cost of a node, in bytes searched.
	nodeCost = 64
)

// scan is the state that the nodes of one stream share.
type scan struct {
	set       *Set
	index     *index
	report    func(piece)
	allow     int64
	cut       bool
	inflaters int
	big       int
}

// piece is a recognised stretch of a mark.
type piece struct {
	mark     int
	lo, hi   int   // in the value
	from, to int64 // in the stream
	chain    []string
	excerpt  string
	vague    bool // the comparison was weak
}

// pay is called for all searched bytes: bytes of the stream add to the
// allowance, decoded bytes reduce it.
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

// broke reports that the allowance is used up.
func (s *scan) broke() bool { return s.allow <= 0 }
