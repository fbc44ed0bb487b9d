package netsink

import (
	"net"
	"net/netip"
	"strings"
)

// Options of a network.
type Options struct {
	// Serve says where the names that exist lead: to whoever accepts from the
	// listener of that name. Only port 80 of them is open.
	Serve []string
	// Lookup is told every question that was asked of a resolver, and
	// Refused every connection that led nowhere. Both are called from several
	// goroutines.
	Lookup  func(Lookup)
	Refused func(Flow)
}

// Lookup is one question to a resolver.
type Lookup struct {
	Name string
	Type string
	// Server is the resolver that was asked, From the asking socket.
	Server, From netip.AddrPort
	// Found says that the name exists.
	Found bool
}

// Flow is a connection, or the first datagram of one.
type Flow struct {
	Protocol string // "tcp" or "udp"
	From, To netip.AddrPort
}

// served is the part of the network that exists.
type served struct {
	names map[string]netip.Addr
	ports map[netip.AddrPort]*listener
}

// newServed gives every name an address of its own.
func newServed(names []string) *served {
	s := &served{names: map[string]netip.Addr{}, ports: map[netip.AddrPort]*listener{}}
	address := netip.AddrFrom4([4]byte{192, 168, 1, 9})
	for _, name := range names {
		address = address.Next()
		s.names[name] = address
		at := netip.AddrPortFrom(address, 80)
		s.ports[at] = newListener(at)
	}
	return s
}

// address finds a name as resolvers do: whatever its case, with or without
// the dot at its end.
func (s *served) address(name string) (netip.Addr, bool) {
	a, ok := s.names[strings.ToLower(strings.TrimSuffix(name, "."))]
	return a, ok
}

// listener hands connections to a server.
type listener struct {
	at    netip.AddrPort
	conns chan net.Conn
	done  chan struct{}
}

// backlog is how many connections wait until the server takes them.
const backlog = 128

func newListener(at netip.AddrPort) *listener {
	return &listener{at: at, conns: make(chan net.Conn, backlog), done: make(chan struct{})}
}

// offer hands a connection over; false if nobody takes it.
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
