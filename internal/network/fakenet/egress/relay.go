package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

// relay is one relayed connection.
type relay struct {
	e        *Egress
	v        *host.Visit
	observer *host.Observer

	reached netip.AddrPort
	first   []byte

	mu      sync.Mutex
	failure string

	received atomic.Int64
	over     atomic.Bool
}

// run relays until the end. stays means that nothing was relayed and that the
// fake host has to answer.
func (r *relay) run(ctx context.Context) (service string, stays bool) {
	defer func() {
		if !stays {
			r.v.Conn.Close()
		}
	}()
	dialled, at, err := r.dial(ctx)
	if err != nil {
		r.fail(err)
		return "", false
	}
	defer dialled.Close()
	// Closing the connections ends pending reads and writes.
	defer context.AfterFunc(ctx, func() {
		dialled.Close()
		r.v.Conn.Close()
	})()
	r.reached = at
	again := func(ctx context.Context) (net.Conn, error) { return r.dialAt(ctx, at) }
	kind, name, far, err := r.meet(dialled)
	if err != nil || kind != host.SpokenTLS && !likeTLS(r.observer.Ahead()) {
		return r.speak(ctx, kind, name, &upstream{conn: far, again: again}, err), false
	}
	hello, err := r.observer.Hello()
	switch {
	case err != nil, !r.covers(hello.SNI): // an unreadable ClientHello may be for any name
		r.reached = netip.AddrPort{}
		return "", true
	case r.e.o.Untouched:
		r.observer.Seen(hello)
		r.pipe(far, false)
		return "tls", false
	}
	return r.intercept(ctx, hello, far), false
}

// likeTLS recognises what a lenient server may accept as TLS, in the current
// form or in that of SSL 2, though the standard forbids it.
func likeTLS(first []byte) bool {
	const handshake, old, hello, major = 22, 0x80, 1, 3
	return len(first) > 0 && first[0] == handshake ||
		len(first) > 3 && first[0]&old != 0 && first[2] == hello && first[3] == major
}

// covers says whether the client may ask for this name after connecting to an
// allowed host: one address can serve many names.
func (r *relay) covers(name string) bool {
	return name == "" || canonical(name) == canonical(placeOf(r.v)) || r.e.o.Allow.hasName(name)
}

// intercept opens TLS in the middle: first with the real host, whose certificate
// must be valid, then with the client.
func (r *relay) intercept(ctx context.Context, hello *host.Hello, far net.Conn) string {
	opened, err := r.secure(ctx, hello, far)
	if err != nil {
		r.fail(err)
		r.observer.TurnAway(hello)
		return "tls"
	}
	if err := r.observer.Open(ctx, hello, agreed(hello, opened)); err != nil {
		return "tls"
	}
	var inner net.Conn = opened
	var kind host.Spoken
	var name string
	if opened.ConnectionState().NegotiatedProtocol == "h2" { // both sides send first
		kind, name, err = r.observer.First(idleTime)
	} else {
		kind, name, inner, err = r.meet(opened)
	}
	again := func(ctx context.Context) (net.Conn, error) {
		more, err := r.dialAt(ctx, r.reached)
		if err != nil {
			return nil, err
		}
		conn, err := r.secure(ctx, hello, more)
		if err != nil {
			more.Close()
			return nil, err
		}
		return conn, nil
	}
	service := r.speak(ctx, kind, name, &upstream{conn: inner, again: again, secure: true}, err)
	return strings.TrimSuffix("tls/"+service, "/")
}

// upstream is the real host: a connection, and a way to open more.
type upstream struct {
	conn   net.Conn
	again  func(ctx context.Context) (net.Conn, error)
	secure bool
}

// speak relays the client's protocol; err is why that failed.
func (r *relay) speak(ctx context.Context, kind host.Spoken, name string, to *upstream, err error) string {
	switch {
	case err != nil:
		r.observer.Settle(err)
		return ""
	case kind == host.SpokenHTTP || kind == host.SpokenHTTP2:
		return r.http(ctx, kind, to)
	}
	if name == "" {
		r.first = bytes.Clone(r.observer.Ahead())
		r.first = r.first[:min(len(r.first), maxFirst)]
	}
	r.pipe(to.conn, true)
	return name
}

// secure does the TLS handshake with the real host as the client would.
func (r *relay) secure(ctx context.Context, hello *host.Hello, far net.Conn) (*tls.Conn, error) {
	name := hello.SNI
	if name == "" {
		name = placeOf(r.v)
	}
	ctx, cancel := context.WithTimeout(ctx, idleTime)
	defer cancel()
	conn := tls.Client(far, &tls.Config{
		ServerName: name, RootCAs: r.e.roots, NextProtos: wanted(hello.ALPN), MinVersion: tls.VersionTLS12,
	})
	if err := conn.HandshakeContext(ctx); err != nil {
		if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
			return nil, fmt.Errorf("the certificate of the real host does not verify: %w", bad.Err)
		}
		return nil, fmt.Errorf("no TLS with the real host: %w", plainer(err))
	}
	return conn, nil
}

// wanted are the client's protocols (ALPN) that the real host is offered. HTTP/2
// is offered only if the client accepts nothing else.
func wanted(alpn []string) []string {
	if slices.Contains(alpn, "http/1.1") {
		return []string{"http/1.1"}
	}
	return alpn
}

// agreed are the protocols that the client is offered after the real host has
// chosen.
func agreed(hello *host.Hello, far *tls.Conn) []string {
	if chosen := far.ConnectionState().NegotiatedProtocol; chosen != "" && chosen != "http/1.1" {
		return []string{chosen}
	}
	if slices.Contains(hello.ALPN, "http/1.1") {
		return hello.ALPN
	}
	return nil
}

// fail records why the connection did not reach its host.
func (r *relay) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == "" {
		r.failure = readable(err.Error())
	}
}

// readable makes a hostile host's error text fit for an event.
func readable(text string) string {
	// no gap: exceeding it refuses the connection to a real host, which is an event
	const most = 300
	text = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '.'
		}
		return c
	}, text)
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

func (r *relay) isCut() bool { return r.over.Load() || r.observer.Cut() }
