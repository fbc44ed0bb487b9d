//go:build linux

package sentry

import (
	"math/bits"
	"net/netip"
	"sync"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/wire"
)

// A connection is often kept and used for later calls. The network outside
// sees the bytes; only the kernel knows who sent them, and for which call.

// connection tells connections apart as the network does.
type connection struct {
	kind  linux.SockType
	local uint16
	peer  netip.AddrPort
}

// speaker is who sent through a connection.
type speaker struct {
	pid   int32
	label uint64
}

// speakers remembers who sent last through each connection, so that only a
// change is told.
type speakers struct {
	mu   sync.Mutex
	last map[connection]speaker
}

// maxSpeakers bounds the table. A connection that was forgotten is told again.
const maxSpeakers = 8192

// changed notes who sends now and reports whether it was another before.
func (s *speakers) changed(c connection, now speaker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last[c] == now {
		return false
	}
	if s.last == nil || len(s.last) >= maxSpeakers {
		s.last = make(map[connection]speaker)
	}
	s.last[c] = now
	return true
}

// transmits is called before anything is sent through an open file.
func (o *observer) transmits(t *kernel.Task, file *vfs.FileDescription) {
	s, ok := file.Impl().(socket.Socket)
	if !ok {
		return
	}
	family, kind, _ := s.Type()
	if family != linux.AF_INET && family != linux.AF_INET6 {
		return
	}
	peer, _, err := s.GetPeerName(t)
	if err != nil {
		return // not connected: where it goes is told with what is sent
	}
	to, ok := internetAddress(peer)
	if !ok || to.Addr().IsLoopback() {
		return // that never leaves
	}
	state := o.state(t)
	c := connection{kind, localPort(t, s), to}
	if !o.speakers.changed(c, speaker{state.pid, o.label(state)}) {
		return
	}
	o.emitFor(t, &wire.Record{
		Op: wire.OpTransmit, Family: uint16(family), SockType: uint16(kind),
		Local: c.local, Port: to.Port(), Addr: to.Addr().String(),
	})
}

// localPort is the port a socket has on this side, 0 if it has none yet.
func localPort(t *kernel.Task, s socket.Socket) uint16 {
	name, _, err := s.GetSockName(t)
	if err != nil {
		return 0
	}
	at, _ := internetAddress(name)
	return at.Port()
}

func internetAddress(name linux.SockAddr) (netip.AddrPort, bool) {
	switch a := name.(type) {
	case *linux.SockAddrInet:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), bits.ReverseBytes16(a.Port)), true
	case *linux.SockAddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr).Unmap(), bits.ReverseBytes16(a.Port)), true
	}
	return netip.AddrPort{}, false
}
