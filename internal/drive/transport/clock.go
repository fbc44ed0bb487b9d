package transport

import (
	"sync"
	"time"
)

// Clock is the time that the server sees. While everything in the sandbox
// sleeps it runs ahead of ours, so that waiting costs nothing.
type Clock interface {
	// Now only ever grows.
	Now() time.Duration
	// After closes a channel when that much time has passed, unless it is
	// stopped before.
	After(d time.Duration) (rings <-chan struct{}, stop func())
	// Mind makes it stand still while the function says that something is still
	// to be done. It also says how much was done so far.
	Mind(somebody func() (busy bool, done int))
	// Jump has it run ahead by that much at once, if it can: timers that were
	// to fire before then are late.
	Jump(d time.Duration)
}

// realClock is our own, for a server whose processes we do not see.
type realClock struct{ begun time.Time }

var _ Clock = realClock{}

// NewRealClock is the clock of a server whose processes we do not see: ours.
func NewRealClock() Clock { return realClock{time.Now()} }

// Now implements [Clock].
func (c realClock) Now() time.Duration { return time.Since(c.begun) }

// Mind implements [Clock].
func (realClock) Mind(func() (bool, int)) {}

// Jump implements [Clock]. It cannot.
func (realClock) Jump(time.Duration) {}

// After implements [Clock].
func (realClock) After(d time.Duration) (<-chan struct{}, func()) {
	rings := make(chan struct{})
	timer := time.AfterFunc(d, sync.OnceFunc(func() { close(rings) }))
	return rings, func() { timer.Stop() }
}
