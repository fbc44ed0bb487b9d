package fakenet

import (
	"net"
	"net/netip"
)

// listener hands connections to a server.
type listener struct {
	at    netip.AddrPort
	conns chan net.Conn
	done  chan struct{}
}

// backlog is how many connections may wait for Accept.
const backlog = 128

func newListener(at netip.AddrPort) *listener {
	return &listener{at: at, conns: make(chan net.Conn, backlog), done: make(chan struct{})}
}

// offer hands a connection over; false if the listener is closed or full.
func (l *listener) offer(c net.Conn) bool {
	select {
	case <-l.done:
		return false
	default:
	}
	select {
	case l.conns <- c:
		return true
	default:
		return false
	}
}

// Accept implements [net.Listener].
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *listener) Close() error {
	select {
	case <-l.done:
	default:
		close(l.done)
	}
	return nil
}

// Addr implements [net.Listener].
func (l *listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.at) }
