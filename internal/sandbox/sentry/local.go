//go:build linux

package sentry

import (
	"context"
	"io"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket/netstack"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// localServices accepts connections to ports of the machine itself on which no program
// listens, and carries them to the fake network, which says which ports these are. All
// others are refused as ever.
type localServices struct {
	w     *wire.Writer
	stack *stack.Stack

	mu sync.Mutex
	// listened are the ports on which a program of the sandbox has listened. They are
	// that program's, also before it listens again.
	listened map[uint16]bool
}

// open makes the network stack ask for connections that it has nobody for.
func (ls *localServices) open(k *kernel.Kernel) {
	s, ok := k.RootNetworkNamespace().Stack().(*netstack.Stack)
	if !ok || !ls.w.Carrier().Valid() {
		return
	}
	ls.stack = s.Stack
	const window, inFlight = 0, 256
	f := tcp.NewForwarder(ls.stack, window, inFlight, ls.carry)
	ls.stack.SetTransportProtocolHandler(tcp.ProtocolNumber, func(id stack.TransportEndpointID, pkt *stack.PacketBuffer) bool {
		return ls.serves(ends(id)) && f.HandlePacket(id, pkt)
	})
}

// ends returns the ends of a connection that is being opened.
func ends(id stack.TransportEndpointID) (from, to netip.AddrPort) {
	end := func(a tcpip.Address, port uint16) netip.AddrPort {
		addr, _ := netip.AddrFromSlice(a.AsSlice())
		return netip.AddrPortFrom(addr.Unmap(), port)
	}
	return end(id.RemoteAddress, id.RemotePort), end(id.LocalAddress, id.LocalPort)
}

// serves reports whether the fake network serves a connection of the machine with itself.
func (ls *localServices) serves(from, to netip.AddrPort) bool {
	if !wire.IsMachine(from.Addr()) || !wire.IsMachine(to.Addr()) || !ls.w.ServesLocal(to.Port()) {
		return false
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return !ls.listened[to.Port()]
}

// listens notes that a program listens on a port.
func (ls *localServices) listens(port uint16) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.listened == nil {
		ls.listened = map[uint16]bool{}
	}
	ls.listened[port] = true
}

// ports returns the ports on which programs have listened.
func (ls *localServices) ports() []uint16 {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return slices.Sorted(maps.Keys(ls.listened))
}

// listenedBefore notes the ports on which programs have listened before the copy was made.
func (ls *localServices) listenedBefore(ports []uint16) {
	for _, port := range ports {
		ls.listens(port)
	}
}

// carry carries one connection.
func (ls *localServices) carry(r *tcp.ForwarderRequest) {
	outer, err := ls.dial(ends(r.ID()))
	if err != nil {
		r.Complete(true)
		return
	}
	var queue waiter.Queue
	ep, failed := r.CreateEndpoint(&queue)
	r.Complete(failed != nil)
	if failed != nil {
		_ = outer.Close()
		return
	}
	inner := gonet.NewTCPConn(&queue, ep)
	var both sync.WaitGroup
	both.Go(func() { pump(outer, inner) })
	both.Go(func() { pump(inner, outer) })
	both.Wait()
	_ = inner.Close()
	_ = outer.Close()
}

// dial makes the connection to the fake network.
func (ls *localServices) dial(from, to netip.AddrPort) (*gonet.TCPConn, error) {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience) //nolint:forbidigo // lives as long as the kernel
	defer cancel()
	return gonet.DialContextTCP(ctx, ls.stack, fullAddress(ls.w.Carrier().At(from, to)), ipv6.ProtocolNumber)
}

// pump passes on what one side sends. An orderly end is passed on alone; after anything
// else both sides are closed.
func pump(to, from *gonet.TCPConn) {
	if _, err := io.Copy(to, from); err == nil && to.CloseWrite() == nil {
		return
	}
	_ = from.Close()
	_ = to.Close()
}
