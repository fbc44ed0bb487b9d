package server

import (
	"container/list"
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxRemembered bounds how many keys and addresses a limit counts separately. An
// attacker with more addresses than that cannot be limited by address anyway.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxRemembered = 1 << 14

// lru is a map of bounded size that drops the least recently used entry.
type lru[K comparable, V any] struct {
	mu    sync.Mutex
	items map[K]*list.Element
	order *list.List // of pair[K, V], the newest first
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func newLRU[K comparable, V any]() *lru[K, V] {
	return &lru[K, V]{items: map[K]*list.Element{}, order: list.New()}
}

// get returns the value of a key. A missing one is created, unless create is nil.
func (r *lru[K, V]) get(key K, create func() V) (value V, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.items[key]; e != nil {
		r.order.MoveToFront(e)
		return e.Value.(pair[K, V]).value, true
	}
	if create == nil {
		return value, false
	}
	value = create()
	r.items[key] = r.order.PushFront(pair[K, V]{key, value})
	if r.order.Len() > maxRemembered {
		oldest := r.order.Remove(r.order.Back()).(pair[K, V])
		delete(r.items, oldest.key)
	}
	return value, true
}

func (r *lru[K, V]) remove(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.items[key]; e != nil {
		r.order.Remove(e)
		delete(r.items, key)
	}
}

// rateLimits bounds how often each client may do something in a minute.
type rateLimits struct {
	perMinute int
	clients   *lru[string, *rate.Limiter]
}

func newRateLimits(perMinute int) *rateLimits {
	return &rateLimits{perMinute: perMinute, clients: newLRU[string, *rate.Limiter]()}
}

func (l *rateLimits) of(client string) *rate.Limiter {
	limiter, _ := l.clients.get(client, func() *rate.Limiter {
		return rate.NewLimiter(rate.Limit(float64(l.perMinute)/60), l.perMinute)
	})
	return limiter
}

// take uses up one, or returns how long to wait for it.
func (l *rateLimits) take(client string, now time.Time) time.Duration {
	limiter := l.of(client)
	if limiter.AllowN(now, 1) {
		return 0
	}
	return l.until(limiter, now)
}

// wait returns how long to wait for one, and uses up none.
func (l *rateLimits) wait(client string, now time.Time) time.Duration {
	limiter := l.of(client)
	if limiter.TokensAt(now) >= 1 {
		return 0
	}
	return l.until(limiter, now)
}

func (l *rateLimits) until(limiter *rate.Limiter, now time.Time) time.Duration {
	missing := 1 - limiter.TokensAt(now)
	return max(time.Duration(missing/float64(limiter.Limit())*float64(time.Second)), time.Second)
}

// knownKeys remembers keys that were valid, by their hash. They stay usable while
// others at the same address send wrong ones.
type knownKeys struct {
	hashes *lru[[sha256.Size]byte, struct{}]
}

func newKnownKeys() *knownKeys {
	return &knownKeys{newLRU[[sha256.Size]byte, struct{}]()}
}

func (c *knownKeys) add(text string) {
	c.hashes.get(sha256.Sum256([]byte(text)), func() struct{} { return struct{}{} })
}

func (c *knownKeys) has(text string) bool {
	_, ok := c.hashes.get(sha256.Sum256([]byte(text)), nil)
	return ok
}

func (c *knownKeys) remove(text string) { c.hashes.remove(sha256.Sum256([]byte(text))) }

// openCounts bounds how many streams each client has open.
type openCounts struct {
	mu   sync.Mutex
	most int
	open map[string]int
}

func newOpenCounts(most int) *openCounts { return &openCounts{most: most, open: map[string]int{}} }

// enter opens one, and leave closes it. leave is nil if there are too many.
func (c *openCounts) enter(client string) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[client] >= c.most {
		return nil
	}
	c.open[client]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[client]--; c.open[client] == 0 {
			delete(c.open, client)
		}
	}
}

// projectSlots is a semaphore for each project.
type projectSlots struct {
	most     int
	mu       sync.Mutex
	projects map[string]*slots
}

// slots are those of one project.
type slots struct {
	taken chan struct{}
	// users counts who has a slot or waits for one.
	users int
}

func newProjectSlots(most int) *projectSlots {
	return &projectSlots{most: most, projects: map[string]*slots{}}
}

// acquire waits for a slot until ctx ends. It returns what gives the slot back,
// nil if there was none.
func (p *projectSlots) acquire(ctx context.Context, project string) (release func()) {
	p.mu.Lock()
	own := p.projects[project]
	if own == nil {
		own = &slots{taken: make(chan struct{}, p.most)}
		p.projects[project] = own
	}
	own.users++
	p.mu.Unlock()
	forget := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(p.projects, project)
		}
	}
	select {
	case own.taken <- struct{}{}:
		return func() {
			<-own.taken
			forget()
		}
	case <-ctx.Done():
		forget()
		return nil
	}
}
