package listener

import "hash/maphash"

// maxHeard bounds how many texts are remembered, so that each is scanned once only.
// no gap: beyond it all are forgotten, and a text may be scanned again
const maxHeard = 100_000

// heard remembers texts.
type heard struct {
	seed maphash.Seed
	seen map[uint64]bool
}

func newHeard() heard { return heard{seed: maphash.MakeSeed(), seen: map[uint64]bool{}} }

// first tells whether a text was not heard before.
func (h *heard) first(of, name string, text []byte) bool {
	var sum maphash.Hash
	sum.SetSeed(h.seed)
	_, _ = sum.WriteString(of + "\x00" + name + "\x00")
	_, _ = sum.Write(text)
	if h.seen[sum.Sum64()] {
		return false
	}
	if len(h.seen) >= maxHeard {
		clear(h.seen)
	}
	h.seen[sum.Sum64()] = true
	return true
}
