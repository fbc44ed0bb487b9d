package transport

import "sync"

// queue holds messages until they are sent, and knows which have not been sent
// yet.
type queue struct {
	messages chan *Outbound

	mu      sync.Mutex
	waiting map[*Outbound]bool
	all     int
}

func newQueue() *queue {
	return &queue{messages: make(chan *Outbound, queueLength), waiting: map[*Outbound]bool{}}
}

// put queues a message. It never blocks.
func (q *queue) put(m *Outbound) error {
	q.mu.Lock()
	q.waiting[m] = true
	q.all++
	q.mu.Unlock()
	select {
	case q.messages <- m:
		return nil
	default:
		q.drop(m)
		return errQueueFull
	}
}

// drop removes a message that will not be sent.
func (q *queue) drop(m *Outbound) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, m)
}

// busy reports whether a message is still unsent, and how many were queued in
// total.
func (q *queue) busy() (bool, int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for m := range q.waiting {
		if Closed(m.Written) {
			delete(q.waiting, m)
		}
	}
	return len(q.waiting) > 0, q.all
}

// mark returns a message without bytes: it counts as written when all before it
// have been sent.
func mark() *Outbound { return &Outbound{Written: make(chan struct{})} }

func (m *Outbound) isMark() bool { return m.Wire == nil }
