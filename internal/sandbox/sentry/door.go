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

// DoorName is the door's name in gVisor's session configuration: a sink is the
// one thing that gVisor hands a descriptor of ours.
const DoorName = "mcpsf-door"

// door lets the orchestrator connect to what listens in the sandbox, the
// loopback interface included, as a local client would.
type door struct {
	endpoint *fd.FD
	observer *observer
	stack    *stack.Stack

	sending sync.Mutex

	mu     sync.Mutex
	visits map[uint32]*visit
	// from finds a visit by our end of its connection.
	from map[netip.AddrPort]*visit
	port uint16
	// knocks counts what went through, either way.
	knocks atomic.Uint64
}

// doorSink exists so that gVisor hands over the descriptor. It is told of
// nothing.
type doorSink struct{ seccheck.SinkDefaults }

// Name implements [seccheck.Sink].
func (*doorSink) Name() string { return DoorName }

func newDoor(endpoint *fd.FD, o *observer) (*door, error) {
	if endpoint == nil || o == nil {
		return nil, errors.New("no door was donated")
	}
	return &door{endpoint: endpoint, observer: o, visits: map[uint32]*visit{}, from: map[netip.AddrPort]*visit{}}, nil
}

// open begins to let visits in.
func (d *door) open(k *kernel.Kernel) error {
	s, ok := k.RootNetworkNamespace().Stack().(*netstack.Stack)
	if !ok {
		return errors.New("the sandbox has no network stack of its own")
	}
	d.stack = s.Stack
	go d.serve()
	return nil
}

// serve takes what the orchestrator sends until it is gone.
func (d *door) serve() {
	buf := make([]byte, wire.MaxKnockSize)
	for {
		n, err := d.endpoint.Read(buf)
		if err != nil || n == 0 {
			return
		}
		k, err := wire.ParseKnock(buf[:n])
		if err != nil {
			return
		}
		d.knocks.Add(1)
		switch k.Kind {
		case wire.KnockOpen:
			d.admit(k.Visit, string(k.Data))
		default:
			k.Data = append([]byte(nil), k.Data...)
			d.pass(k)
		}
	}
}

// heard is how much went through. Through no door nothing does.
func (d *door) heard() uint64 {
	if d == nil {
		return 0
	}
	return d.knocks.Load()
}

// admit begins a visit.
func (d *door) admit(id uint32, address string) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		d.refuse(id, err)
		return
	}
	v := &visit{id: id, door: d, queue: make(chan wire.Knock, maxQueued)}
	d.mu.Lock()
	d.visits[id] = v
	d.mu.Unlock()
	go v.pay(to)
}

func (d *door) refuse(id uint32, err error) {
	reason := err.Error()
	d.send(wire.Knock{Kind: wire.KnockClose, Visit: id, Data: []byte(reason[:min(len(reason), wire.MaxKnock)])})
}

// pass hands something to a visit. One whose server does not read is ended:
// the others must not wait.
func (d *door) pass(k wire.Knock) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.visits[k.Visit]
	if v == nil {
		return
	}
	select {
	case v.queue <- k:
	default:
		delete(d.visits, k.Visit)
		close(v.queue)
	}
}

// send tells the orchestrator something. If that is gone, so is the sandbox
// soon.
func (d *door) send(k wire.Knock) {
	d.knocks.Add(1)
	d.sending.Lock()
	defer d.sending.Unlock()
	_, _ = d.endpoint.Write(k.Append(nil))
}

// dial connects v. Our end is known before the connection is, so that the
// server's first look at it finds whose it is.
func (d *door) dial(v *visit, to netip.AddrPort) (*gonet.TCPConn, error) {
	protocol := ipv4.ProtocolNumber
	ours := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if to.Addr().Is6() {
		protocol, ours = ipv6.ProtocolNumber, netip.IPv6Loopback()
	}
	const tries = 16
	var err error
	for range tries {
		v.from = d.reserve(v, ours)
		var conn *gonet.TCPConn
		conn, err = gonet.DialTCPWithBind(context.Background(), d.stack, full(v.from), full(to), protocol) //nolint:forbidigo // lives as long as the kernel
		if err == nil {
			return conn, nil
		}
		d.release(v)
	}
	return nil, fmt.Errorf("connecting: %w", err)
}

func full(a netip.AddrPort) tcpip.FullAddress {
	return tcpip.FullAddress{Addr: tcpip.AddrFromSlice(a.Addr().AsSlice()), Port: a.Port()}
}

// reserve picks the next port of ours.
func (d *door) reserve(v *visit, ours netip.Addr) netip.AddrPort {
	const lowest, highest = 33000, 60000
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.port++; d.port < lowest || d.port > highest {
		d.port = lowest
	}
	at := netip.AddrPortFrom(ours, d.port)
	d.from[at] = v
	return at
}

// release forgets where a visit came from.
func (d *door) release(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.from[v.from] == v {
		delete(d.from, v.from)
	}
}

// visitor is whose connection it is that has the given other end; nil if it is
// nobody's of ours.
func (d *door) visitor(peer netip.AddrPort) *visit {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.from[peer]
}
