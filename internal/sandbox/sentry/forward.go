//go:build linux

package sentry

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/fd"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/seccheck"
	"gvisor.dev/gvisor/pkg/sentry/socket/netstack"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// ForwardName is the port forward's name in gVisor's session configuration: a
// sink is the only way to pass gVisor a descriptor of ours.
const ForwardName = "mcpsf-forward"

// forwarder is the sandbox's end of the port forward: it connects to listening
// servers in the sandbox, on the loopback interface too, as a local client
// would, and passes the bytes to the orchestrator.
type forwarder struct {
	conv *conversation
	// endpoint is the socket to the orchestrator, nil if it did not ask for a
	// port forward.
	endpoint *fd.FD
	stack    *stack.Stack
	// messages counts the messages in both directions.
	messages atomic.Uint64

	sending sync.Mutex // serialises writes to endpoint

	mu    sync.Mutex
	conns map[uint32]*forwardConn
	// from finds a connection by our address.
	from map[netip.AddrPort]*forwardConn
	port uint16
}

// forwardSink exists only so that gVisor passes us the descriptor. It observes
// nothing.
type forwardSink struct{ seccheck.SinkDefaults }

// Name implements [seccheck.Sink].
func (*forwardSink) Name() string { return ForwardName }

func newForwarder(conv *conversation) *forwarder {
	return &forwarder{conv: conv, conns: map[uint32]*forwardConn{}, from: map[netip.AddrPort]*forwardConn{}}
}

// open starts the port forward, if the orchestrator wants one.
func (fw *forwarder) open(k *kernel.Kernel) error {
	if fw.endpoint == nil {
		return nil
	}
	s, ok := k.RootNetworkNamespace().Stack().(*netstack.Stack)
	if !ok {
		return errors.New("the sandbox has no network stack of its own")
	}
	fw.stack = s.Stack
	go fw.serve()
	return nil
}

// serve handles the orchestrator's messages until the socket closes.
func (fw *forwarder) serve() {
	buf := make([]byte, wire.MaxForwardSize)
	for {
		n, err := fw.endpoint.Read(buf)
		if err != nil || n == 0 {
			return
		}
		m, err := wire.ParseForward(buf[:n])
		if err != nil {
			return
		}
		fw.messages.Add(1)
		switch m.Kind {
		case wire.ForwardOpen:
			fw.accept(m.Conn, string(m.Data))
		default:
			m.Data = append([]byte(nil), m.Data...)
			fw.dispatch(m)
		}
	}
}

// accept begins a connection.
func (fw *forwarder) accept(id uint32, address string) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		fw.sendClose(id, err)
		return
	}
	fc := &forwardConn{id: id, forward: fw, queue: make(chan wire.Forward, maxQueued)}
	fw.mu.Lock()
	fw.conns[id] = fc
	fw.mu.Unlock()
	go fc.run(to)
}

// dispatch passes a message to its connection. A connection whose server does
// not read is closed, so that the others do not wait.
func (fw *forwarder) dispatch(m wire.Forward) {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	fc := fw.conns[m.Conn]
	if fc == nil {
		return
	}
	select {
	case fc.queue <- m:
	default:
		delete(fw.conns, m.Conn)
		close(fc.queue)
	}
}

// send sends the orchestrator a message. An error is ignored: without the
// orchestrator the sandbox ends soon.
func (fw *forwarder) send(m wire.Forward) {
	fw.messages.Add(1)
	fw.sending.Lock()
	defer fw.sending.Unlock()
	_, _ = fw.endpoint.Write(m.Append(nil))
}

// sendClose tells the orchestrator that a connection has ended, and why.
func (fw *forwarder) sendClose(id uint32, err error) {
	reason := err.Error()
	fw.send(wire.Forward{Kind: wire.ForwardClose, Conn: id, Data: []byte(reason[:min(len(reason), wire.MaxForwardData)])})
}

// dial connects fc. Our address is registered before the connection exists, so
// that the first lookup on the server's side finds it.
func (fw *forwarder) dial(fc *forwardConn, to netip.AddrPort) (*gonet.TCPConn, error) {
	protocol := ipv4.ProtocolNumber
	ours := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if to.Addr().Is6() {
		protocol, ours = ipv6.ProtocolNumber, netip.IPv6Loopback()
	}
	const tries = 16
	var err error
	for range tries {
		fc.from = fw.reserve(fc, ours)
		var conn *gonet.TCPConn
		conn, err = gonet.DialTCPWithBind(context.Background(), fw.stack, fullAddress(fc.from), fullAddress(to), protocol) //nolint:forbidigo // lives as long as the kernel
		if err == nil {
			return conn, nil
		}
		fw.release(fc)
	}
	return nil, fmt.Errorf("connecting: %w", err)
}

func fullAddress(a netip.AddrPort) tcpip.FullAddress {
	return tcpip.FullAddress{Addr: tcpip.AddrFromSlice(a.Addr().AsSlice()), Port: a.Port()}
}

// reserve picks the next local port.
func (fw *forwarder) reserve(fc *forwardConn, ours netip.Addr) netip.AddrPort {
	const lowest, highest = 33000, 60000
	fw.mu.Lock()
	defer fw.mu.Unlock()
	if fw.port++; fw.port < lowest || fw.port > highest {
		fw.port = lowest
	}
	at := netip.AddrPortFrom(ours, fw.port)
	fw.from[at] = fc
	return at
}

// release removes our address of a connection.
func (fw *forwarder) release(fc *forwardConn) {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	if fw.from[fc.from] == fc {
		delete(fw.from, fc.from)
	}
}

// forget removes a connection that has ended.
func (fw *forwarder) forget(fc *forwardConn) {
	fw.release(fc)
	fw.mu.Lock()
	defer fw.mu.Unlock()
	if fw.conns[fc.id] == fc {
		delete(fw.conns, fc.id)
	}
}

// connFrom returns the connection with the given address as our end, nil if it
// is none of ours.
func (fw *forwarder) connFrom(peer netip.AddrPort) *forwardConn {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.from[peer]
}
