package remote

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// rounds is how often two clients send requests at the same time.
const rounds = 4

// crossClient finds out whether one client receives another client's answers or
// notifications.
func (p *prober) crossClient(ctx context.Context) {
	got := "each client was told only what it had asked"
	leaks := !p.old && p.together(ctx) || p.overhear(ctx)
	if leaks {
		got = "one client was told what another had asked"
	}
	p.tell(mcpsf.RemoteDetail{Check: mcpsf.CheckCrossClient, Sent: "requests of two clients", Got: got, Want: "answers to who asked", Weak: leaks})
}

// together sends requests as two clients at the same moment. The requests have
// the same id and name tools that do not exist; the tool names identify the
// clients.
func (p *prober) together(ctx context.Context) bool {
	one, two := p.ask(ctx, ask{method: protocol.MethodInitialize}), p.ask(ctx, ask{method: protocol.MethodInitialize})
	if !one.taken() || !two.taken() {
		return false
	}
	defer p.leave(ctx, one.session, false)
	defer p.leave(ctx, two.session, false)
	names := [2]string{p.opts.Nonce + "-first", p.opts.Nonce + "-second"}
	sessions := [2]string{one.session, two.session}
	for range rounds {
		var answers [2]answer
		var wg sync.WaitGroup
		if p.pace(ctx) != nil {
			return false
		}
		for i := range 2 {
			q := ask{method: protocol.MethodCall, id: "1", session: sessions[i], params: map[string]any{"name": names[i], "arguments": map[string]any{}}}
			id, message, err := p.message(&q)
			if err != nil {
				return false
			}
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
				defer cancel()
				answers[i] = p.post(ctx, p.url, &q, id, message)
			})
		}
		wg.Wait()
		for i := range 2 {
			if bytes.Contains(answers[i].body, []byte(names[1-i])) {
				return true
			}
		}
	}
	return false
}

// overhear listens as one client while an earlier one makes requests: some
// servers send answers to all clients, and some to the latest.
func (p *prober) overhear(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	asks, leave := p.join(ctx)
	if asks == nil {
		return false
	}
	defer leave()
	listening, stop, leave := p.listen(ctx)
	if listening == nil {
		return false
	}
	defer leave()
	word := p.opts.Nonce + "-overheard"
	heard := make(chan bool, 1)
	go func() {
		for range maxMessages {
			_, data, ok := listening.next()
			if !ok || bytes.Contains(data, []byte(word)) {
				heard <- ok
				return
			}
		}
		heard <- false
	}()
	asks(word)
	timer := time.AfterFunc(p.opts.Overhear, stop)
	defer timer.Stop()
	leaks := <-heard
	stop()
	return leaks
}

// join opens a client session and returns a function that calls a tool of a
// given, nonexistent name. It does not wait for the answer; leave ends the
// session.
func (p *prober) join(ctx context.Context) (asks func(word string), leave func()) {
	var to *url.URL
	var session string
	var end func()
	if p.old {
		l, _ := p.dial(ctx, &ask{})
		if l == nil {
			return nil, nil
		}
		to, end = l.to, func() { _ = l.body.Close() }
		p.askOn(ctx, l, ask{method: protocol.MethodInitialize})
	} else {
		first := p.ask(ctx, ask{method: protocol.MethodInitialize})
		if first.session == "" {
			return nil, nil
		}
		to, session = p.url, first.session
		end = func() { p.leave(ctx, session, false) }
	}
	return func(word string) {
		q := ask{method: protocol.MethodCall, id: word, session: session, params: map[string]any{"name": word, "arguments": map[string]any{}}}
		if id, message, err := p.message(&q); err == nil && p.pace(ctx) == nil {
			p.post(ctx, to, &q, id, message)
		}
	}, end
}

// listen opens a client's stream of server messages. stop ends the stream, and
// leave the session.
func (p *prober) listen(ctx context.Context) (s *stream, stop, leave func()) {
	if p.old {
		l, _ := p.dial(ctx, &ask{})
		if l == nil {
			return nil, nil, nil
		}
		return l.stream, func() { _ = l.body.Close() }, func() {}
	}
	first := p.ask(ctx, ask{method: protocol.MethodInitialize})
	if first.session == "" {
		return nil, nil, nil
	}
	leave = func() { p.leave(ctx, first.session, false) }
	r, err := p.request(ctx, http.MethodGet, p.url, &ask{session: first.session}, nil)
	if err != nil {
		return nil, nil, nil
	}
	r.Header.Set("Accept", "text/event-stream")
	response, err := p.doer.Do(r) //nolint:bodyclose // stop does
	if err != nil {
		leave()
		return nil, nil, nil
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		leave()
		return nil, nil, nil
	}
	return newStream(response.Body), func() { _ = response.Body.Close() }, leave
}
