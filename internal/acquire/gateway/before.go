package gateway

import (
	"sync"
	"time"
)

// isLater reports whether a date is known and later than what is shown.
func (g *Gateway) isLater(date time.Time) bool {
	return !date.IsZero() && date.After(g.opts.Before)
}

// undated counts what is shown although its publication date is unknown.
type undated struct {
	mu sync.Mutex
	// counts are by page, because a page may be made more than once.
	counts map[string]int
}

func (u *undated) set(page string, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.counts == nil {
		u.counts = map[string]int{}
	}
	delete(u.counts, page)
	if n > 0 {
		u.counts[page] = n
	}
}

func (u *undated) total() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	total := 0
	for _, n := range u.counts {
		total += n
	}
	return total
}
