package monitor

import (
	"net/netip"
	"slices"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxListening bounds how many addresses are remembered.
// no gap: bounds where the server is looked for
const maxListening = 64

// Listening returns the addresses on which the server listens, in the order in
// which it began to.
func (m *Monitor) Listening() []netip.AddrPort {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.network.listening)
}

// listens remembers an address of the server.
func (n *network) listens(r *wire.Record) {
	addr, err := netip.ParseAddr(r.Addr)
	if err != nil || r.Errno != 0 || r.Port == 0 || r.SockType&sockTypeMask != sockStream {
		return
	}
	at := netip.AddrPortFrom(addr.Unmap(), r.Port)
	if len(n.listening) < maxListening && !slices.Contains(n.listening, at) {
		n.listening = append(n.listening, at)
	}
}

// maxRefused bounds how many connections are remembered that found nobody at localhost.
// no gap: bounds which local services are made up
const maxRefused = 4096

// RefusedLocally returns the ports of the machine itself to which a program connected and
// found nobody, each time, in order. A connection that was begun without waiting for its
// end counts, if nobody is known to listen there; see [Monitor.Listening].
func (m *Monitor) RefusedLocally() []uint16 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.network.refused)
}

// finds remembers a connection that found nobody at localhost.
func (n *network) finds(r *wire.Record) {
	const inProgress, refused = 115, 111
	if r.Op != wire.OpConnect || r.SockType&sockTypeMask != sockStream || r.Errno != inProgress && r.Errno != refused {
		return
	}
	addr, err := netip.ParseAddr(r.Addr)
	if err == nil && wire.IsMachine(addr) && len(n.refused) < maxRefused {
		n.refused = append(n.refused, r.Port)
	}
}
