package leak

import (
	"hash/maphash"
	"sync/atomic"
	"time"
)

// Data that could be in many encodings at once is the most expensive to search,
// and an attacker can send it without end. So nothing is searched twice: long
// runs of one byte are shortened ([canary.Stream.WriteShort]), and repeated
// messages are skipped. The total
// effort is bounded, too; reaching the bound is reported.

const (
	// maxSame is how many messages are remembered to recognise repetitions.
	// no gap: the search of everything sent goes on; this bounds what is told or remembered of it
	maxSame = 4096
	// maxEffort bounds the total search time, in processor time as far as it can be
	// told: what else the machine does should not decide what is searched.
	// no gap: reaching it stops the network monitor, which the verdict counts
	maxEffort = 90 * time.Second
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
	began, before, thread := time.Now(), processorTime(), threadID()
	work()
	spent := time.Since(began)
	// The search runs in coroutines, so it cannot be tied to a thread. Where it
	// stayed on one, the thread's processor time is at most a little more than its.
	if threadID() == thread {
		spent = min(spent, processorTime()-before)
	}
	f.effort.spent.Add(int64(spent))
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
