//go:build linux

package sentry

import (
	"net/netip"
	"sync"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// A connection is often kept and used for later calls. The fake network sees
// the bytes; only the kernel knows which task sent them, and for which call.

// connection identifies a connection as the network does.
type connection struct {
	kind  linux.SockType
	local uint16
	peer  netip.AddrPort
}

// sender is the task that sent on a connection.
type sender struct {
	pid   int32
	label uint64
}

// senders remembers the last sender on each connection, so that only a change
// is recorded.
type senders struct {
	rec   *recorder
	attr  *attribution
	local *localServices

	mu   sync.Mutex
	last map[connection]sender
}

// maxSenders bounds the table. A forgotten connection is recorded again.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxSenders = 8192

// changed stores the sender and reports whether it differs from the last one.
func (sn *senders) changed(c connection, now sender) bool {
	sn.mu.Lock()
	defer sn.mu.Unlock()
	if sn.last[c] == now {
		return false
	}
	if sn.last == nil || len(sn.last) >= maxSenders {
		sn.last = make(map[connection]sender)
	}
	sn.last[c] = now
	return true
}

// beforeSend is called before data is sent through an open file.
func (sn *senders) beforeSend(t *kernel.Task, file *vfs.FileDescription) {
	s, to, ok := connected(t, file)
	if !ok {
		return
	}
	if to.Addr().IsLoopback() && !sn.local.serves(to, to) {
		return // both ends are in the sandbox
	}
	family, kind, _ := s.Type()
	state := sn.attr.state(t)
	c := connection{kind, localPort(t, s), to}
	if !sn.changed(c, sender{state.pid, sn.attr.label(state)}) {
		return
	}
	sn.rec.emitFor(t, &wire.Record{
		Op: wire.OpTransmit, Family: uint16(family), SockType: uint16(kind),
		Local: c.local, Port: to.Port(), Addr: to.Addr().String(),
	})
}

// connected returns the socket behind an open file, and its peer, if it is
// connected.
func connected(t *kernel.Task, file *vfs.FileDescription) (socket.Socket, netip.AddrPort, bool) {
	s, ok := file.Impl().(socket.Socket)
	if !ok {
		return nil, netip.AddrPort{}, false
	}
	if family, _, _ := s.Type(); family != linux.AF_INET && family != linux.AF_INET6 {
		return nil, netip.AddrPort{}, false
	}
	peer, _, err := s.GetPeerName(t)
	if err != nil { // not connected: the address is recorded with the datagram
		return nil, netip.AddrPort{}, false
	}
	to, ok := internetAddress(peer)
	return s, to, ok
}

// attachConnection records the connection that is a program's standard input,
// output or error at its start. Descriptors that are closed on exec do not
// count.
func attachConnection(t *kernel.Task, r *wire.Record) {
	for fd := range int32(3) {
		file, flags := t.FDTable().Get(fd)
		if file == nil {
			continue
		}
		_, to, ok := connected(t, file)
		file.DecRef(t)
		if ok && !to.Addr().IsLoopback() && !flags.CloseOnExec {
			r.Addr, r.Port = to.Addr().String(), to.Port()
			return
		}
	}
}
