package leak

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"
	"time"
)

// Data that could be in many encodings at once is the most expensive to search,
// and an attacker can send it without end. So nothing is searched twice: long
// runs of one byte are shortened, and repeated messages are skipped. The total
// effort is bounded, too; reaching the bound is reported.

const (
	// longestRun is how many equal bytes in a row are searched. No secret has
	// more, in any encoding.
	longestRun = 24
	// maxSame is how many messages are remembered to recognise repetitions.
	// no gap: the search of everything sent goes on; this bounds what is told or remembered of it
	maxSame = 4096
	// maxEffort bounds the total search time.
	// no gap: reaching it stops the network monitor, which the verdict counts
	maxEffort = 30 * time.Second
)

// effort is the work done so far.
type effort struct {
	spent atomic.Int64
	seed  maphash.Seed
}

// Exhausted reports that not everything was searched.
func (f *Finder) Exhausted() bool { return f.effort.spent.Load() > int64(maxEffort) }

// look runs work unless the bound is reached.
func (f *Finder) look(work func()) {
	if f.Exhausted() {
		return
	}
	began := time.Now()
	work()
	f.effort.spent.Add(int64(time.Since(began)))
}

// known reports whether the same bytes were searched before, in the same place.
func (f *Finder) known(place string, body []byte) bool {
	var h maphash.Hash
	h.SetSeed(f.effort.seed)
	_, _ = h.WriteString(place)
	_, _ = h.Write(body)
	sum := h.Sum64()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.same[sum] {
		return true
	}
	if len(f.same) >= maxSame {
		clear(f.same)
	}
	f.same[sum] = true
	return false
}

// squeezed returns p with long runs of one byte shortened.
func squeezed(p []byte) []byte {
	start := longRun(p, 0)
	if start < 0 {
		return p
	}
	out := make([]byte, 0, len(p))
	from := 0
	for start >= 0 {
		out = append(out, p[from:start+longestRun]...)
		b := p[start]
		from = start + longestRun
		for from < len(p) && p[from] == b {
			from++
		}
		start = longRun(p, from)
	}
	return append(out, p[from:]...)
}

// longRun returns where a run of more than longestRun equal bytes begins,
// searching from an index.
func longRun(p []byte, from int) int {
	for i := from; i+longestRun < len(p); {
		last := i + longestRun
		if p[i] != p[last] {
			i++
			continue
		}
		if run := bytes.TrimRight(p[i:last+1], string(p[last:last+1])); len(run) > 0 {
			i += len(run)
			continue
		}
		return i
	}
	return -1
}
