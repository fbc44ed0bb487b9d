package gateway

import (
	"net/http"
	"slices"
	"sync"
)

// Totals describes the traffic of a gateway.
type Totals struct {
	Requests int
	Refused  int
	// Bytes of all response bodies.
	Bytes int64
	// Packages is what was downloaded, sorted: "npm name@version sha512-..."
	// and "pypi file sha256:..." with the digest of the delivered bytes, and
	// "... partial" for files that were delivered in part.
	Packages []string
	// Omitted is how many further packages did not fit into the list.
	Omitted int
	// Undated is how many versions and files were shown in spite of
	// [Options.Before] because the registry does not say when they were
	// published.
	Undated int
}

// Totals may be called at any time.
func (g *Gateway) Totals() Totals {
	t := Totals{Requests: int(g.requests.Load()), Refused: int(g.refused.Load()), Bytes: g.bytes.Load(), Undated: g.undated.total()}
	t.Packages, t.Omitted = g.lock.list()
	return t
}

// spend subtracts n bytes from what may be sent, if that many are left.
func (g *Gateway) spend(n int64) bool {
	total := g.bytes.Add(n)
	if total > g.opts.MaxBytes {
		g.bytes.Add(-n)
		return false
	}
	const step = 1 << 20
	if total/step != (total-n)/step {
		g.hooks.Lock()
		defer g.hooks.Unlock()
		g.progress()
	}
	return true
}

// affords reports whether an answer of n bytes fits into what may still be
// sent.
func (g *Gateway) affords(method string, n int64) error {
	if method != http.MethodHead && n > g.opts.MaxBytes-g.bytes.Load() {
		return errSpent()
	}
	return nil
}

// progress must be called with the lock hooks held.
func (g *Gateway) progress() {
	if g.opts.Progress != nil {
		g.opts.Progress(g.lock.count(), g.bytes.Load())
	}
}

// lock is the list of downloaded files.
type lock struct {
	mu      sync.Mutex
	entries map[string]bool
	omitted int
}

// no gap: beyond it the package manager gets an error, which is recorded
const maxEntries = 10_000

func (l *lock) add(entry string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = map[string]bool{}
	}
	if len(l.entries) >= maxEntries && !l.entries[entry] {
		l.omitted++
		return
	}
	l.entries[entry] = true
}

func (l *lock) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries) + l.omitted
}

func (l *lock) list() ([]string, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := make([]string, 0, len(l.entries))
	for e := range l.entries {
		entries = append(entries, e)
	}
	slices.Sort(entries)
	return entries, l.omitted
}
