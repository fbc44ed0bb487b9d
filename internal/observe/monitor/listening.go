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
