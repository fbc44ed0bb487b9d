package transport

import (
	"context"
	"sync"
	"time"
)

// flight is a request in flight: how to cancel it, and when that happens
// automatically.
type flight struct {
	*Outbound
	hangUp context.CancelFunc
	leave  *time.Timer
}

// lingering is how long a stream may stay open after its answer.
const lingering = 5 * time.Second

// letGo closes the stream some time after its answer.
func (f *flight) letGo() {
	if f.Request != nil && f.leave == nil && !f.Request.Waits() {
		f.leave = time.AfterFunc(lingering, f.hangUp)
	}
}

// flights are the requests in flight, by JSON-RPC id.
type flights struct {
	mu      sync.Mutex
	hangUps map[string]context.CancelFunc
}

func newFlights() *flights { return &flights{hangUps: map[string]context.CancelFunc{}} }

func (f *flights) begin(id string, hangUp context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hangUps[id] = hangUp
}

func (f *flights) end(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.hangUps, id)
}

func (f *flights) hangUp(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if hangUp := f.hangUps[id]; hangUp != nil {
		hangUp()
	}
}

func (f *flights) any() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.hangUps) > 0
}
