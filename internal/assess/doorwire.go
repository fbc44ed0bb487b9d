package assess

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

// doorWire carries HTTP to a server that listens in the sandbox. Each request
// has a connection of its own, so that what is read from it is read for that
// request alone.
type doorWire struct {
	door *box.PortForward
	// listening is where the server accepts connections by now.
	listening func() []netip.AddrPort
}

var _ transport.Wire = (*doorWire)(nil)

// Do implements [transport.Wire].
func (w *doorWire) Do(r *http.Request, leaving func(offset, size int64)) (*http.Response, error) {
	visit, err := w.door.Dial(r.Context(), w.address(r))
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(r.Context(), func() { _ = visit.Close() })
	done := func() error {
		stop()
		return visit.Close()
	}
	resp, err := exchange(visit, r, leaving)
	if err != nil {
		_ = done()
		return nil, err
	}
	resp.Body = &doorBody{ReadCloser: resp.Body, visit: visit, done: done}
	return resp, nil
}

// exchange sends the request and reads the head of the answer.
func exchange(visit *box.ForwardConn, r *http.Request, leaving func(offset, size int64)) (*http.Response, error) {
	var raw bytes.Buffer
	once := r.Clone(r.Context())
	once.Close = true
	if err := once.Write(&raw); err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	size := int64(raw.Len())
	if err := visit.Send(raw.Bytes(), func(offset int64) { leaving(offset, size) }); err != nil {
		return nil, err
	}
	head := &io.LimitedReader{R: visit, N: maxHeader}
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
func (w *doorWire) address(r *http.Request) netip.AddrPort {
	const plain = 80
	port := uint64(plain)
	if n, err := strconv.ParseUint(r.URL.Port(), 10, 16); err == nil {
		port = n
	}
	for _, at := range w.listening() {
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

// doorBody is the body of an answer that came through the door.
type doorBody struct {
	io.ReadCloser
	visit *box.ForwardConn
	done  func() error
}

// Offset implements [transport.Placed].
func (b *doorBody) Offset() int64 { return b.visit.Offset() }

// Close ends the connection before it would be read to its end.
func (b *doorBody) Close() error { return b.done() }

// maxLook is how long a server that listens is looked at.
const maxLook = 30 * time.Second

// look finds out how the server guards itself against web pages and other
// clients. It is on a developer's machine: who gets there is a browser.
func (w *doorWire) look(ctx context.Context, url string, mon *monitor.Monitor) {
	ctx, cancel := context.WithTimeout(ctx, maxLook)
	defer cancel()
	told, _ := remote.Check(ctx, doorClient{w}, url, &remote.Options{ // what it got to is told
		Private: true, Pause: time.Millisecond, Timeout: 3 * time.Second, Overhear: time.Second / 2,
	})
	for _, d := range told {
		mon.Checked(d)
	}
}

// doorClient makes requests that are no part of the conversation.
type doorClient struct{ wire *doorWire }

// Do implements [remote.Doer].
func (c doorClient) Do(r *http.Request) (*http.Response, error) {
	return c.wire.Do(r, func(int64, int64) {})
}
