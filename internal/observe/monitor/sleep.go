package monitor

import (
	"math/bits"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// longest is the upper bound of a sleep; a longer one counts as this.
const longest = 365 * 24 * time.Hour

// maxSleepers bounds how many sleeping tasks are remembered.
// gap: timers-not-awaited
const maxSleepers = 1 << 14

// ticks is how often a sleep of one length is awaited: a server may act when its
// timer fires for the second time.
const ticks = 3

// sleepers are the tasks that a timer will wake up.
type sleepers struct {
	until map[int32]nap
	// slept counts the sleeps that have ended, by their length in logarithmic
	// steps of an eighth: what follows a sleep of that length was seen so often.
	slept map[int]int
	// forgotten counts the sleeps that were too many to remember.
	forgotten int64
}

type nap struct{ until, length int64 }

// sleep records that a task goes to sleep, or wakes up.
func (s *sleepers) sleep(r *wire.Record) {
	if s.until == nil {
		s.until, s.slept = map[int32]nap{}, map[int]int{}
	}
	key := r.TID
	if r.Flags&wire.FlagAll != 0 {
		key = -r.TID // a timer, which expires even if the task is awake
	}
	if old, ok := s.until[key]; ok && r.Nanos >= old.until {
		s.slept[steps(old.length)]++
		delete(s.until, key)
	}
	if r.N <= 0 {
		delete(s.until, key)
		return
	}
	if _, known := s.until[key]; !known && len(s.until) >= maxSleepers {
		s.forgotten++
		return
	}
	s.until[key] = nap{until: r.Nanos + min(r.N, int64(longest)), length: r.N}
}

// steps is the logarithm of a length, in steps of about an eighth.
func steps(length int64) int {
	n := bits.Len64(uint64(length))
	return n<<3 | int(length>>max(0, n-4))&7
}

// Alarm returns the time until the last task wakes up that has a timer within
// the given time and a length not seen so often before; 0 if there is none.
func (m *Monitor) Alarm(within time.Duration) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sleepers.alarm(m.now(), within)
}

func (s *sleepers) alarm(now int64, within time.Duration) time.Duration {
	last := int64(0)
	for key, n := range s.until {
		switch {
		case n.until <= now:
			s.slept[steps(n.length)]++
			delete(s.until, key)
		case n.until-now <= int64(within) && s.slept[steps(n.length)] < ticks:
			last = max(last, n.until-now)
		}
	}
	return time.Duration(last)
}
