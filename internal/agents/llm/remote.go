package llm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// wired asks a model once, over one API.
type wired interface {
	// once sends the ask in the form that fit says. The [*Error] has the usage.
	once(ctx context.Context, a *Ask, f fit) (*Reply, error)
	// adapt changes f so that what was rejected is not sent again; false if
	// nothing can be left out.
	adapt(f *fit, e *Error) bool
}

// remote is a model that is asked over the network. It retries temporary
// failures and remembers what the server rejects.
type remote struct {
	name  string
	hint  string
	wire  wired
	price *Price // nil if unknown
	opts  Options

	mu  sync.Mutex
	fit fit
}

var _ Model = (*remote)(nil)

func (m *remote) Name() string { return m.name }

// Price is the model's price, nil if unknown.
func (m *remote) Price() *Price { return m.price }

// Ask implements [Model].
func (m *remote) Ask(ctx context.Context, a *Ask) (*Reply, error) {
	if err := check(a); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, m.opts.Timeout,
		&Error{Kind: KindTimeout, Message: fmt.Sprintf("it took longer than %s", m.opts.Timeout), final: true})
	defer cancel()
	m.mu.Lock()
	f := m.fit
	m.mu.Unlock()
	var spent Usage
	for try := 1; ; {
		reply, err := m.wire.once(limited, a, f)
		if err == nil {
			reply.Usage = spent.Add(m.priced(reply.Usage))
			reply.Without = both(f.without(a), reply.Without)
			m.learn(f)
			return reply, nil
		}
		e := m.explain(ctx, limited, err)
		spent = spent.Add(m.priced(e.Usage))
		if e.Kind == KindRefused && m.wire.adapt(&f, e) {
			m.opts.Logger.DebugContext(ctx, "asking the model again without what it refuses", "model", m.name)
			continue // each parameter can be left out once
		}
		again, told := m.wait(limited, e, try)
		if !again {
			return nil, m.final(e, told, spent, try)
		}
		m.opts.Logger.DebugContext(ctx, "asking the model again", "model", m.name, "try", try+1)
		try++
	}
}

// both joins two lists without duplicates.
func both(a, b []string) []string {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// explain converts an SDK's error into an [*Error].
func (m *remote) explain(outer, limited context.Context, err error) *Error {
	if outer.Err() != nil {
		return &Error{Kind: KindCancelled, Message: "nobody waits for the reply any more", err: context.Cause(outer)}
	}
	used := Usage{}
	e := asError(err)
	if e != nil {
		used = e.Usage
	}
	if limited.Err() != nil {
		if late := asError(context.Cause(limited)); late != nil {
			e = late
		}
	}
	if e == nil {
		e = failf(KindReply, "its reply makes no sense: %s", clean(err.Error()))
	}
	said := *e // a copy, because the error may be shared
	said.Usage = used
	return &said
}

// maxWait is how long a provider may make us wait before a retry.
// no gap: bounds the conversation with a model; a failed ask is reported
const maxWait = time.Minute

// wait decides whether to retry, and waits. told says why not.
func (m *remote) wait(ctx context.Context, e *Error, try int) (again bool, told string) {
	if !e.passing() || try > m.opts.Retries {
		return false, ""
	}
	d := backoff(try, m.opts.Random())
	if e.after > 0 {
		d = max(d, e.after)
	}
	if d > maxWait {
		return false, fmt.Sprintf("; it wants to be asked again in %s", e.after.Round(time.Second))
	}
	if end, ok := ctx.Deadline(); ok && m.opts.Now().Add(d).After(end) {
		return false, fmt.Sprintf("; there is no time to wait %s for another try", d.Round(time.Millisecond))
	}
	return m.opts.Sleep(ctx, d) == nil, ""
}

// backoff doubles from half a second, less a random part, so that clients that
// were refused together do not retry together.
func backoff(try int, random float64) time.Duration {
	// no gap: bounds the conversation with a model; a failed ask is reported
	const first, most = 500 * time.Millisecond, 20 * time.Second
	d := min(first<<min(try-1, 10), most)
	return d - time.Duration(random*float64(d)/2)
}

// final is the error for the caller.
func (m *remote) final(e *Error, told string, spent Usage, tries int) *Error {
	e.Usage, e.Tries = spent, tries
	message := m.name + ": " + e.Message + told
	if tries > 1 {
		message += fmt.Sprintf(" (%d tries)", tries)
	}
	if e.Kind == KindKey && m.hint != "" {
		message += "; " + m.hint
	}
	e.Message = strings.ToValidUTF8(message, "?")
	return e
}

func (m *remote) priced(u Usage) Usage {
	if m.price != nil && u.Tokens() > 0 {
		cost := m.price.of(u.In, u.Out)
		u.Cost = &cost
	}
	return u
}

// learn remembers what had to be left out for an ask to succeed.
func (m *remote) learn(f fit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fit = m.fit.with(f)
}
