// Package fairtime measures how much of the time that passes the server could not
// use, because others used the processors.
//
// In: the number of threads that want to run on this machine, and what a hypervisor
// gives to other machines, as the kernel counts them. Out: the time that was lost to
// them so far.
//
// A limit that decides what is tried or found is extended by the time lost. On a
// busy machine a run then takes longer and finds the same.
package fairtime

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// leastShare bounds how much a limit is extended: a server with a thousand busy
// threads must not stop the clock.
// no gap: beyond it the limits are reached, and each writes its own gap
const leastShare = 0.2

// Meter measures the time lost. It is safe for concurrent use; nil loses nothing.
type Meter struct {
	now  func() time.Time
	want func() int
	used func() usage
	cpus int

	mu     sync.Mutex
	at     time.Time
	runs   int
	before usage
	lost   time.Duration
}

// New returns a meter for this machine.
func New() *Meter { return newMeter(time.Now, runnable, processorUse, runtime.NumCPU()) }

func newMeter(now func() time.Time, want func() int, used func() usage, cpus int) *Meter {
	return &Meter{now: now, want: want, used: used, cpus: cpus, at: now(), runs: want(), before: used()}
}

// Lost returns the time lost since the meter was made. It should be asked often: in
// between it takes the number of threads to be that of the two ends.
func (m *Meter) Lost() time.Duration {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now, runs, used := m.now(), m.want(), m.used()
	share := (m.share(m.runs) + m.share(runs)) / 2 * used.left(m.before)
	m.lost += time.Duration(float64(now.Sub(m.at)) * (1 - max(leastShare, share)))
	m.at, m.runs, m.before = now, runs, used
	return m.lost
}

// share is the part of a processor that each of so many threads gets.
func (m *Meter) share(runs int) float64 {
	return max(leastShare, min(1, float64(m.cpus)/float64(max(1, runs))))
}

// runnable is how many threads of this machine want to run, without the one that
// asks; 0 if that is not known.
func runnable() int {
	text, err := os.ReadFile("/proc/loadavg") // 0.20 0.18 0.12 3/80 11206
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 4 {
		return 0
	}
	running, _, _ := strings.Cut(fields[3], "/")
	n, err := strconv.Atoi(running)
	if err != nil {
		return 0
	}
	return max(0, n-1)
}
