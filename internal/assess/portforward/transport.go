// Package portforward sends HTTP to a server that listens inside the sandbox,
// and finds out at which address it speaks MCP.
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

// maxHeader bounds the header of an answer.
// no gap: a server that is not found gets no PASS
const maxHeader = 1 << 20

// Transport sends HTTP to a server that listens in the sandbox. Each request has
// its own connection, so that bytes read from it belong to that request alone.
type Transport struct {
	forward *box.PortForward
	// listening returns the addresses at which the server accepts connections by now.
	listening func() []netip.AddrPort
}

var _ transport.Wire = (*Transport)(nil)

// New returns the transport through the port forward of a sandbox. listening
// returns the addresses at which the server accepts connections by now.
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

// exchange sends the request and reads the header of the answer.
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
			head.N = math.MaxInt64 // the reader of the body limits it
			return resp, nil
		}
	}
}

// address returns where in the sandbox a request goes: to the address that
// listens on its port.
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

// reachable returns an address to connect to for an address to listen at. A
// server that listens on all IPv6 addresses nearly always accepts IPv4 too.
func reachable(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return at
}

// body is the body of an answer through the port forward.
type body struct {
	io.ReadCloser
	conn *box.ForwardConn
	done func() error
}

// Offset implements [transport.Placed].
func (b *body) Offset() int64 { return b.conn.Offset() }

// Close ends the connection without reading the rest of the body.
func (b *body) Close() error { return b.done() }

// maxCheck is how long a server that listens is checked.
// no gap: a server that is not found gets no PASS
const maxCheck = 30 * time.Second

// CheckAccess checks how the server protects itself against web pages and other
// clients. It runs on a developer's machine, where a browser can reach it.
func (t *Transport) CheckAccess(ctx context.Context, url string, mon *monitor.Monitor) {
	ctx, cancel := context.WithTimeout(ctx, maxCheck)
	defer cancel()
	told, _ := remote.Check(ctx, client{t}, url, &remote.Options{ // what was checked until the error is reported
		Private: true, Pause: time.Millisecond, Timeout: 3 * time.Second, Overhear: time.Second / 2,
	})
	for _, d := range told {
		mon.Checked(d)
	}
}

// client makes requests that are not part of the MCP session.
type client struct{ transport *Transport }

// Do implements [remote.Doer].
func (c client) Do(r *http.Request) (*http.Response, error) {
	return c.transport.Do(r, func(int64, int64) {})
}
