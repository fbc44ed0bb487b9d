package transport

import (
	"sync"
	"time"
)

// Clock is the virtual clock that the server sees. It is advanced while
// everything in the sandbox sleeps, so that waiting takes no real time.
type Clock interface {
	// Now never decreases.
	Now() time.Duration
	// After closes a channel when that much time has passed, unless it is
	// stopped before.
	After(d time.Duration) (rings <-chan struct{}, stop func())
	// HoldWhile stops the clock from being advanced while the function reports that
	// the driver is busy. done counts the driver's finished work, so that
	// progress is noticed.
	HoldWhile(somebody func() (busy bool, done int))
	// Jump advances the clock at once, if possible: timers due before then fire
	// late.
	Jump(d time.Duration)
}

// realClock is our own clock, for a server whose processes we do not see.
type realClock struct{ begun time.Time }

var _ Clock = realClock{}

// NewRealClock returns our own clock, for a server whose processes we do not
// see.
func NewRealClock() Clock { return realClock{time.Now()} }

// Now implements [Clock].
func (c realClock) Now() time.Duration { return time.Since(c.begun) }

// HoldWhile implements [Clock].
func (realClock) HoldWhile(func() (bool, int)) {}

// Jump implements [Clock]. A real clock cannot jump.
func (realClock) Jump(time.Duration) {}

// After implements [Clock].
func (realClock) After(d time.Duration) (<-chan struct{}, func()) {
	rings := make(chan struct{})
	timer := time.AfterFunc(d, sync.OnceFunc(func() { close(rings) }))
	return rings, func() { timer.Stop() }
}
