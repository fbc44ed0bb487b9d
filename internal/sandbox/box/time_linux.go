package box

import (
	"os"

	"golang.org/x/sys/unix"
)

// Now is the sandbox's clock: the host's, and what it was put forward.
func (b *Box) Now() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return ts.Nano() + b.Skipped()
}

// Skipped is how far the sandbox's clock is ahead of the host's. It never
// goes back, whatever the sandbox's kernel says.
func (b *Box) Skipped() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader != nil {
		b.skipped = max(b.skipped, b.reader.Skipped())
	}
	return b.skipped
}

// Leap has it put forward to a time at once, whoever works. Who was to wake up
// before does so late, as on a machine that was suspended.
func (b *Box) Leap(until int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader != nil {
		b.reader.Leap(until)
	}
}

// Stir grows whenever something happens in the sandbox; sent and received are
// the frames that its network has.
func (b *Box) Stir() (stir, sent, received uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader == nil {
		return 0, 0, 0
	}
	return b.reader.Stir()
}

// Consent says that nobody outside has anything to do with what happened up to
// a stir. Without it the clock is not put forward.
func (b *Box) Consent(stir uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader != nil {
		b.reader.Consent(stir)
	}
}

// Settled tells whether everything that was recorded by now was handled.
func (b *Box) Settled() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reader == nil || b.handled.Load() >= b.reader.Written()
}

// Hurry has the sandbox's clock put forward, up to a time, whenever everybody
// in the sandbox sleeps: to when the first of them wakes up. 0 ends it.
func (b *Box) Hurry(until int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader != nil {
		b.reader.Hurry(until)
	}
}

// input is the server's standard input. What is written there is counted before
// it can be read.
type input struct {
	*os.File
	box *Box
}

func (i input) Write(p []byte) (int, error) {
	i.box.mu.Lock()
	if i.box.reader != nil {
		i.box.reader.Said(len(p))
	}
	i.box.mu.Unlock()
	return i.File.Write(p)
}
