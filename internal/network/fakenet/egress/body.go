package egress

import (
	"errors"
	"io"
	"net"
	"slices"
	"sync"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

var errLarge = errors.New("the body is larger than is relayed")

// heardBody reports the body of a request while it is relayed.
type heardBody struct {
	io.ReadCloser
	x     *host.Exchange
	ended bool
}

// Read implements [io.Reader].
func (b *heardBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.x.Sent(p[:n]) {
		return 0, errLarge
	}
	if errors.Is(err, io.EOF) && !b.ended {
		b.ended = true
		b.x.Trailers()
	}
	return n, err
}

// heardAnswer observes the body of an answer while it is relayed.
type heardAnswer struct {
	io.ReadCloser
	x *host.Exchange
}

// Read implements [io.Reader].
func (b *heardAnswer) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.x.Received(p[:n])
	return n, err
}

// socket reports what a client sends after the connection was upgraded, for
// example to a WebSocket.
type socket struct {
	io.ReadWriteCloser
	told io.WriteCloser
}

// Write implements [io.Writer].
func (s *socket) Write(p []byte) (int, error) {
	_, _ = s.told.Write(p) // it never fails
	return s.ReadWriteCloser.Write(p)
}

func (s *socket) end() {
	if s.told != nil {
		_ = s.told.Close()
	}
}

// plainFrames reports bytes of an unknown protocol.
type plainFrames struct{ observer *host.Observer }

func (p plainFrames) Write(b []byte) (int, error) {
	p.observer.Sent("", b)
	return len(b), nil
}

func (plainFrames) Close() error { return nil }

// only is the single connection of an HTTP server that was started for it.
type only struct {
	net.Conn
	once   sync.Once
	closed chan struct{}

	mu    sync.Mutex
	first []byte
}

// Read implements [net.Conn].
func (c *only) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first = append(c.first, p[:min(n, maxUnread-len(c.first))]...)
	return n, err
}

// beginning is the first bytes that were read.
func (c *only) beginning() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clip(c.first)
}

// Close implements [net.Conn].
func (c *only) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { close(c.closed) })
	return err
}

// oneConn is a listener that accepts one connection.
type oneConn struct {
	conn   *only
	handed bool
}

// Accept implements [net.Listener].
func (l *oneConn) Accept() (net.Conn, error) {
	if !l.handed {
		l.handed = true
		return l.conn, nil
	}
	<-l.conn.closed
	return nil, net.ErrClosed
}

// Close implements [net.Listener].
func (*oneConn) Close() error { return nil }

// Addr implements [net.Listener].
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }
