package fakenet

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

// This file decides whether a network is idle: everything sent has arrived, and
// all connections wait for the other side.

// Idle says whether nothing is under way, given how many frames the sandbox has
// sent and received. A nil network is always idle.
func (s *Network) Idle(sent, received uint64) bool {
	if s == nil {
		return true
	}
	return s.link.in.Load() == sent && s.link.out.Load() == received && s.conns.idle()
}

// watchedConns are our ends of all open connections.
type watchedConns struct {
	mu   sync.Mutex
	list map[*watchedConn]bool
}

// watchedConn is our end of a connection.
type watchedConn struct {
	net.Conn
	endpoint tcpip.Endpoint
	all      *watchedConns
	// waits is set while a read waits for the other side, and soon if the host
	// acts by itself shortly when the other side stays silent.
	waits, soon atomic.Bool
	// in and out are byte counts.
	in, out atomic.Int64
}

func (e *watchedConns) open(conn net.Conn, endpoint tcpip.Endpoint) *watchedConn {
	one := &watchedConn{Conn: conn, endpoint: endpoint, all: e}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.list == nil {
		e.list = map[*watchedConn]bool{}
	}
	e.list[one] = true
	return one
}

func (e *watchedConns) idle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for one := range e.list {
		if !one.waits.Load() || one.soon.Load() {
			return false
		}
		if n, err := one.endpoint.GetSockOptInt(tcpip.ReceiveQueueSizeOption); err == nil && n > 0 {
			return false
		}
	}
	return true
}

// Read implements [net.Conn].
func (e *watchedConn) Read(p []byte) (int, error) {
	e.waits.Store(true)
	defer e.waits.Store(false)
	n, err := e.Conn.Read(p)
	e.in.Add(int64(n))
	return n, err
}

// Write implements [net.Conn].
func (e *watchedConn) Write(p []byte) (int, error) {
	n, err := e.Conn.Write(p)
	e.out.Add(int64(n))
	return n, err
}

// SetReadDeadline implements [net.Conn].
func (e *watchedConn) SetReadDeadline(at time.Time) error {
	e.expects(at)
	return e.Conn.SetReadDeadline(at)
}

// SetDeadline implements [net.Conn].
func (e *watchedConn) SetDeadline(at time.Time) error {
	e.expects(at)
	return e.Conn.SetDeadline(at)
}

func (e *watchedConn) expects(by time.Time) {
	e.soon.Store(!by.IsZero() && time.Until(by) <= host.SpeaksWithin)
}

// Close implements [net.Conn].
func (e *watchedConn) Close() error {
	e.all.mu.Lock()
	delete(e.all.list, e)
	e.all.mu.Unlock()
	return e.Conn.Close()
}

// CloseWrite signals the end of the data to the client.
func (e *watchedConn) CloseWrite() error {
	if half, ok := e.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return io.ErrClosedPipe
}
