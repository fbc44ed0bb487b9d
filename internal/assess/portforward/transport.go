// Package portforward speaks HTTP to a server that listens inside the sandbox, and finds out
// where there it speaks MCP.
package portforward

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// maxHeader bounds the head of an answer.
const maxHeader = 1 << 20

// Transport carries HTTP to a server that listens in the sandbox. Each request has a
// connection of its own, so that what is read from it is read for that request alone.
type Transport struct {
	forward *box.PortForward
	// listening is where the server accepts connections by now.
	listening func() []netip.AddrPort
}

var _ transport.Wire = (*Transport)(nil)

// New is the transport through the port forward of a sandbox. listening is where the server
// accepts connections by now.
func New(forward *box.PortForward, listening func() []netip.AddrPort) *Transport {
	return &Transport{forward: forward, listening: listening}
}

// Do implements [transport.Wire].
func (t *Transport) Do(r *http.Request, leaving func(offset, size int64)) (*http.Response, error) {
	conn, err := t.forward.Dial(r.Context(), t.address(r))
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(r.Context(), func() { _ = conn.Close() })
	done := func() error {
		stop()
		return conn.Close()
	}
	resp, err := exchange(conn, r, leaving)
	if err != nil {
		_ = done()
		return nil, err
	}
	resp.Body = &body{ReadCloser: resp.Body, conn: conn, done: done}
	return resp, nil
}

// exchange sends the request and reads the head of the answer.
func exchange(conn *box.ForwardConn, r *http.Request, leaving func(offset, size int64)) (*http.Response, error) {
	var raw bytes.Buffer
	once := r.Clone(r.Context())
	once.Close = true
	if err := once.Write(&raw); err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	size := int64(raw.Len())
	if err := conn.Send(raw.Bytes(), func(offset int64) { leaving(offset, size) }); err != nil {
		return nil, err
	}
	head := &io.LimitedReader{R: conn, N: maxHeader}
	buffered := bufio.NewReader(head)
	for {
		resp, err := http.ReadResponse(buffered, r)
		if err != nil {
			return nil, fmt.Errorf("reading the answer: %w", err)
		}
		if resp.StatusCode >= http.StatusOK || resp.StatusCode == http.StatusSwitchingProtocols {
			head.N = math.MaxInt64 // who reads the body limits it
			return resp, nil
		}
	}
}

// address is where in the sandbox a request goes: to whoever listens on that
// port, wherever it does.
func (t *Transport) address(r *http.Request) netip.AddrPort {
	const plain = 80
	port := uint64(plain)
	if n, err := strconv.ParseUint(r.URL.Port(), 10, 16); err == nil {
		port = n
	}
	for _, at := range t.listening() {
		if at.Port() == uint16(port) {
			return reachable(at)
		}
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
}

// reachable is an address to connect to for one to listen at. Who listens on
// all of version 6 nearly always takes version 4, too.
func reachable(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return at
}

// body is the body of an answer that came through the port forward.
type body struct {
	io.ReadCloser
	conn *box.ForwardConn
	done func() error
}

// Offset implements [transport.Placed].
func (b *body) Offset() int64 { return b.conn.Offset() }

// Close ends the connection before it would be read to its end.
func (b *body) Close() error { return b.done() }

// maxCheck is how long a server that listens is checked.
const maxCheck = 30 * time.Second

// CheckAccess finds out how the server guards itself against web pages and other
// clients. It is on a developer's machine: who gets there is a browser.
func (t *Transport) CheckAccess(ctx context.Context, url string, mon *monitor.Monitor) {
	ctx, cancel := context.WithTimeout(ctx, maxCheck)
	defer cancel()
	told, _ := remote.Check(ctx, client{t}, url, &remote.Options{ // what it got to is told
		Private: true, Pause: time.Millisecond, Timeout: 3 * time.Second, Overhear: time.Second / 2,
	})
	for _, d := range told {
		mon.Checked(d)
	}
}

// client makes requests that are no part of the conversation.
type client struct{ transport *Transport }

// Do implements [remote.Doer].
func (c client) Do(r *http.Request) (*http.Response, error) {
	return c.transport.Do(r, func(int64, int64) {})
}
