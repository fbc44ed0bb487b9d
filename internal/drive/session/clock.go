package session

import (
	"sync"
	"time"
)

// Clock is what the server goes by. Where everybody sleeps it runs ahead of
// ours, so that nobody is waited for who has nothing to do.
type Clock interface {
	// Now only ever grows.
	Now() time.Duration
	// After closes a channel when that much time has passed, unless it is
	// stopped before.
	After(d time.Duration) (rings <-chan struct{}, stop func())
	// Mind makes it stand still while somebody says that he has something to do.
	// He also says how much he has done so far.
	Mind(somebody func() (busy bool, done int))
	// Leap has it run ahead by that much at once, if it can: whoever was to do
	// something before is late.
	Leap(d time.Duration)
}

// ourClock is that of a server of which we do not know what it does.
type ourClock struct{ begun time.Time }

var _ Clock = ourClock{}

// Now implements [Clock].
func (c ourClock) Now() time.Duration { return time.Since(c.begun) }

// Mind implements [Clock].
func (ourClock) Mind(func() (bool, int)) {}

// Leap implements [Clock]. It cannot.
func (ourClock) Leap(time.Duration) {}

// After implements [Clock].
func (ourClock) After(d time.Duration) (<-chan struct{}, func()) {
	rings := make(chan struct{})
	timer := time.AfterFunc(d, sync.OnceFunc(func() { close(rings) }))
	return rings, func() { timer.Stop() }
}
