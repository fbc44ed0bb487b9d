package session

import "sync"

// outbox is what has been queued for the server and may not have left yet.
type outbox struct {
	mu      sync.Mutex
	waiting map[*outbound]bool
	all     int
}

func (b *outbox) put(m *outbound) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting == nil {
		b.waiting = map[*outbound]bool{}
	}
	b.waiting[m] = true
	b.all++
}

// drop is for what does not leave.
func (b *outbox) drop(m *outbound) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting, m)
}

// busy tells whether something has not left, and how much there was to.
func (b *outbox) busy() (bool, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for m := range b.waiting {
		if isClosed(m.written) {
			delete(b.waiting, m)
		}
	}
	return len(b.waiting) > 0, b.all
}
