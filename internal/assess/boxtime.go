package assess

import (
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const (
	// shortest is what is waited for by our own clock.
	shortest = 60 * time.Millisecond
	// delivery is how long something may be on its way to us that was said
	// before the time was up, once all that the kernel recorded is known.
	delivery = 20 * time.Millisecond
	// tick is how often the clock of a sandbox is looked at.
	tick = 5 * time.Millisecond
	// looks is how often nothing must have been left to do.
	looks = 4
)

// boxTime is the clock of a sandbox. It is put forward while we wait for it and
// everybody inside sleeps, to when the first of us has something to do.
type boxTime struct {
	mu  sync.Mutex
	box *box.Box // nil before it has begun
	// sink is the network around it, nil if there is none.
	sink *fakenet.Network
	// still keeps the clock from being put forward.
	still bool
	waits map[*int64]bool
	// somebody says whether he works and how much he has done, nil if nobody is
	// there; done is what he said last.
	somebody func() (busy bool, done int)
	done     int
	// stir is after what we had nothing to do, and times how often that was
	// found.
	stir  uint64
	times int
}

var _ transport.Clock = (*boxTime)(nil)

// watch makes it the clock of a sandbox in a network.
func (b *boxTime) watch(running *box.Box, sink *fakenet.Network) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.box, b.sink = running, sink
}

// consent lets the clock be put forward once nothing is left for us to do. It
// is looked several times: who has just been given something may not have begun.
func (b *boxTime) consent() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.box == nil || b.still {
		return
	}
	stir, sent, received := b.box.Clock().Activity()
	if stir != b.stir || b.works() || !b.box.PortForward().Idle() || !b.box.Settled() || !b.sink.Idle(sent, received) {
		b.stir, b.times = stir, 0
		return
	}
	if b.times++; b.times == looks {
		b.box.Clock().Consent(stir)
	}
}

// works tells whether somebody of us does, or has since the last time. The
// caller holds mu.
func (b *boxTime) works() bool {
	if b.somebody == nil {
		return false
	}
	busy, done := b.somebody()
	if done != b.done {
		b.done, busy = done, true
		b.hurryLocked() // what was agreed on before is void
	}
	return busy
}

// nanos is the time that the sandbox's records are stamped with.
func (b *boxTime) nanos() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.box == nil {
		return nanotime()
	}
	return b.box.Clock().Now()
}

// skipped is how far it is ahead of ours.
func (b *boxTime) skipped() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.box == nil {
		return 0
	}
	return b.box.Clock().Advanced()
}

// settled tells whether all is known that was done before.
func (b *boxTime) settled() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.box == nil || b.box.Settled()
}

// Now implements [transport.Clock].
func (b *boxTime) Now() time.Duration { return time.Duration(b.nanos()) }

// After implements [transport.Clock].
func (b *boxTime) After(d time.Duration) (rings <-chan struct{}, stop func()) {
	up, quit := make(chan struct{}), make(chan struct{})
	if d < shortest {
		timer := time.AfterFunc(d, func() { close(up) })
		return up, func() { timer.Stop() }
	}
	until, ours := b.nanos()+int64(d), time.Now().Add(d)
	b.hurry(&until, true)
	go func() {
		defer b.hurry(&until, false)
		ticks := time.NewTicker(tick)
		defer ticks.Stop()
		for b.nanos() < until || !b.settled() && time.Now().Before(ours) {
			select {
			case <-quit:
				return
			case <-ticks.C:
				b.consent()
			}
		}
		late := time.NewTimer(min(delivery, time.Until(ours)))
		defer late.Stop()
		select {
		case <-quit:
		case <-late.C:
			close(up)
		}
	}()
	return up, sync.OnceFunc(func() { close(quit) })
}

// Mind implements [transport.Clock].
func (b *boxTime) Mind(somebody func() (busy bool, done int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.somebody = somebody
}

// Jump implements [transport.Clock].
func (b *boxTime) Jump(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.box != nil && !b.still {
		b.box.Clock().JumpTo(b.box.Clock().Now() + int64(d))
	}
}

// hurry notes that somebody waits until then, or no longer does.
func (b *boxTime) hurry(until *int64, waits bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waits == nil {
		b.waits = map[*int64]bool{}
	}
	if waits {
		b.waits[until] = true
	} else {
		delete(b.waits, until)
	}
	b.hurryLocked()
}

// hurryLocked lets the clock be put forward to when the first of us is to do
// something. The caller holds mu.
func (b *boxTime) hurryLocked() {
	if b.box == nil || b.still {
		return
	}
	b.times = 0
	first := int64(0)
	for w := range b.waits {
		if first == 0 || *w < first {
			first = *w
		}
	}
	b.box.Clock().AdvanceTo(first)
}
