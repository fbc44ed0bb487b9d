package server

import (
	"container/list"
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxRemembered bounds how many keys, addresses and credentials are told apart.
// Whoever has more addresses than that has enough for everything.
const maxRemembered = 1 << 14

// recent is a map that forgets what was not asked for longest.
type recent[K comparable, V any] struct {
	mu    sync.Mutex
	items map[K]*list.Element
	order *list.List // of pair[K, V], the newest first
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any]() *recent[K, V] {
	return &recent[K, V]{items: map[K]*list.Element{}, order: list.New()}
}

// get returns what is kept for a key. What is not, is made, or nothing if create
// is nil.
func (r *recent[K, V]) get(key K, create func() V) (value V, ok bool) {
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

func (r *recent[K, V]) remove(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.items[key]; e != nil {
		r.order.Remove(e)
		delete(r.items, key)
	}
}

// limiters count what each of many may do in a minute.
type limiters struct {
	perMinute int
	all       *recent[string, *rate.Limiter]
}

func newLimiters(perMinute int) *limiters {
	return &limiters{perMinute: perMinute, all: newRecent[string, *rate.Limiter]()}
}

func (l *limiters) of(who string) *rate.Limiter {
	limiter, _ := l.all.get(who, func() *rate.Limiter {
		return rate.NewLimiter(rate.Limit(float64(l.perMinute)/60), l.perMinute)
	})
	return limiter
}

// take uses up one, or returns how long to wait for it.
func (l *limiters) take(who string, now time.Time) time.Duration {
	limiter := l.of(who)
	if limiter.AllowN(now, 1) {
		return 0
	}
	return l.wait(limiter, now)
}

// left returns how long to wait until one can be used, and uses none.
func (l *limiters) left(who string, now time.Time) time.Duration {
	limiter := l.of(who)
	if limiter.TokensAt(now) >= 1 {
		return 0
	}
	return l.wait(limiter, now)
}

func (l *limiters) wait(limiter *rate.Limiter, now time.Time) time.Duration {
	missing := 1 - limiter.TokensAt(now)
	return max(time.Duration(missing/float64(limiter.Limit())*float64(time.Second)), time.Second)
}

// credentials are those that were right before. Their owners are let in although
// others at the same address guess.
type credentials struct {
	all *recent[[sha256.Size]byte, struct{}]
}

func newCredentials() *credentials {
	return &credentials{newRecent[[sha256.Size]byte, struct{}]()}
}

func (c *credentials) add(text string) {
	c.all.get(sha256.Sum256([]byte(text)), func() struct{} { return struct{}{} })
}

func (c *credentials) has(text string) bool {
	_, ok := c.all.get(sha256.Sum256([]byte(text)), nil)
	return ok
}

func (c *credentials) remove(text string) { c.all.remove(sha256.Sum256([]byte(text))) }

// counts bound what each of many has open.
type counts struct {
	mu   sync.Mutex
	most int
	open map[string]int
}

func newCounts(most int) *counts { return &counts{most: most, open: map[string]int{}} }

// enter opens one. It is closed with leave, which is nil if there are too many.
func (c *counts) enter(who string) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[who] >= c.most {
		return nil
	}
	c.open[who]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[who]--; c.open[who] == 0 {
			delete(c.open, who)
		}
	}
}

// turns let so many of each of many in at a time, and the others wait.
type turns struct {
	most int
	mu   sync.Mutex
	of   map[string]*turn
}

// turn is the turn of one of them.
type turn struct {
	inside chan struct{}
	// known counts who is in or waits.
	known int
}

func newTurns(most int) *turns { return &turns{most: most, of: map[string]*turn{}} }

// wait waits until ctx ends. It returns what ends the turn, nil if there was
// none.
func (t *turns) wait(ctx context.Context, who string) (leave func()) {
	t.mu.Lock()
	mine := t.of[who]
	if mine == nil {
		mine = &turn{inside: make(chan struct{}, t.most)}
		t.of[who] = mine
	}
	mine.known++
	t.mu.Unlock()
	forget := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if mine.known--; mine.known == 0 {
			delete(t.of, who)
		}
	}
	select {
	case mine.inside <- struct{}{}:
		return func() {
			<-mine.inside
			forget()
		}
	case <-ctx.Done():
		forget()
		return nil
	}
}
