package monitor

import (
	"net/netip"
	"slices"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxListening bounds how many places are remembered.
const maxListening = 64

// Listening are the addresses at which the server has begun to accept
// connections, in the order it did.
func (m *Monitor) Listening() []netip.AddrPort {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.network.listening)
}

// listens remembers where the server can be reached.
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
