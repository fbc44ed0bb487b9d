package fakenet

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/icmp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
)

// no gap: exceeding it ends the connection, which is an event
const (
	nic = 1
	// timeWait is how long an ended connection keeps its ports.
	timeWait = 50 * time.Millisecond
	// maxConversations bounds the number of open conversations.
	maxConversations = 1024
)

// Network is a running fake network.
type Network struct {
	opts   *Options
	served map[netip.AddrPort]*listener
	stack  *stack.Stack
	link   *link

	// databases are what this sandbox's databases contain. Every start has its own,
	// so that what one start stores does not show in another (ADR 25).
	databases     *databases.Databases
	conversations chan struct{} // one slot for each conversation
	end           context.CancelFunc
	missed        atomic.Int64
	conns         watchedConns

	mu      sync.Mutex // guards closed and the start of work
	closed  bool
	working sync.WaitGroup
}

// New takes over the link, which must stay open until [Network.Close].
func New(ctx context.Context, link *os.File, opts *Options) (*Network, error) {
	s := &Network{
		opts: opts, served: map[netip.AddrPort]*listener{}, conversations: make(chan struct{}, maxConversations),
		databases: databases.New(),
	}
	for _, name := range opts.Serve {
		address, ok := opts.Names.Address4(name)
		if !ok {
			return nil, fmt.Errorf("the name %q is to be served and has no address", name)
		}
		at := netip.AddrPortFrom(address, 80)
		s.served[at] = newListener(at)
	}
	l, endpoint, err := newLink(link)
	if err != nil {
		return nil, err
	}
	s.link = l
	// The network runs until Close, not until ctx is done: what the target does
	// while it is being stopped is observed, too.
	ctx, s.end = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.build(ctx, endpoint); err != nil {
		s.end()
		s.link.close()
		return nil, err
	}
	s.link.run(ctx)
	return s, nil
}

func (s *Network) build(ctx context.Context, endpoint stack.LinkEndpoint) error {
	if s.opts.Frame != nil {
		endpoint = newTap(endpoint, s.opts.Frame)
	}
	s.stack = stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, ipv6.NewProtocol, arp.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol, udp.NewProtocol, icmp.NewProtocol4, icmp.NewProtocol6},
	})
	// Otherwise a client that reuses a port would have to wait a minute.
	lingering := tcpip.TCPTimeWaitTimeoutOption(timeWait)
	if err := s.stack.SetTransportProtocolOption(tcp.ProtocolNumber, &lingering); err != nil {
		s.stack.Destroy()
		return fmt.Errorf("starting the network: closed connections: %s", err)
	}
	if err := s.configure(endpoint); err != nil {
		s.stack.Destroy()
		return err
	}
	const window, inFlight = 0, 1024
	streams := tcp.NewForwarder(s.stack, window, inFlight, func(r *tcp.ForwarderRequest) { s.tcp(ctx, r) })
	datagrams := udp.NewForwarder(s.stack, func(r *udp.ForwarderRequest) bool { return s.udp(ctx, r) })
	s.stack.SetTransportProtocolHandler(tcp.ProtocolNumber, streams.HandlePacket)
	s.stack.SetTransportProtocolHandler(udp.ProtocolNumber, datagrams.HandlePacket)
	return nil
}

func (s *Network) configure(endpoint stack.LinkEndpoint) error {
	failed := func(what string, err tcpip.Error) error {
		return fmt.Errorf("starting the network: %s: %s", what, err)
	}
	if err := s.stack.CreateNIC(nic, endpoint); err != nil {
		return failed("interface", err)
	}
	addresses := []netip.Addr{netip.MustParseAddr(mcpsf.NetRouter4), netip.MustParseAddr(mcpsf.NetRouter6)}
	for at := range s.served {
		addresses = append(addresses, at.Addr())
	}
	for _, a := range addresses {
		protocol := ipv4.ProtocolNumber
		if a.Is6() {
			protocol = ipv6.ProtocolNumber
		}
		address := tcpip.ProtocolAddress{Protocol: protocol, AddressWithPrefix: tcpip.AddrFromSlice(a.AsSlice()).WithPrefix()}
		if err := s.stack.AddProtocolAddress(nic, address, stack.AddressProperties{}); err != nil {
			return failed("address", err)
		}
	}
	// Accept frames for any address, and send from any address.
	if err := s.stack.SetPromiscuousMode(nic, true); err != nil {
		return failed("receiving for all", err)
	}
	if err := s.stack.SetSpoofing(nic, true); err != nil {
		return failed("answering for all", err)
	}
	s.stack.SetRouteTable([]tcpip.Route{
		{Destination: header.IPv4EmptySubnet, NIC: nic}, {Destination: header.IPv6EmptySubnet, NIC: nic},
	})
	return nil
}

// Listen returns a listener for connections to a served name.
func (s *Network) Listen(name string) net.Listener {
	address, _ := s.opts.Names.Address4(name)
	return s.served[netip.AddrPortFrom(address, 80)]
}

// Close ends every conversation and waits for it. It works on a nil network,
// too.
func (s *Network) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	for _, l := range s.served {
		_ = l.Close()
	}
	s.working.Wait()
	s.link.close()
	s.stack.Destroy()
}

// Missed is how many conversations were refused for lack of a slot, so that
// their content is unknown.
func (s *Network) Missed() int64 {
	if s == nil {
		return 0
	}
	return s.missed.Load()
}

// handle runs a conversation unless there are too many. The connection is
// closed at its end, or when the network is closed.
func (s *Network) handle(ctx context.Context, conn net.Conn, run func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	select {
	case s.conversations <- struct{}{}:
	default:
		s.missed.Add(1)
		return false
	}
	s.working.Go(func() {
		defer func() { <-s.conversations }()
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		defer stop()
		defer conn.Close()
		run()
	})
	return true
}

func (s *Network) flow(protocol string, id stack.TransportEndpointID) Flow {
	f := Flow{
		Protocol: protocol,
		From:     addrPort(id.RemoteAddress.AsSlice(), id.RemotePort),
		To:       addrPort(id.LocalAddress.AsSlice(), id.LocalPort),
	}
	f.Name = s.opts.Names.Name(f.To.Addr())
	return f
}

// localhost returns the connection of the machine with itself that a flow carries.
func (s *Network) localhost(f Flow) (Flow, bool) {
	if s.opts.Local == nil {
		return f, false
	}
	from, to, ok := s.opts.Local(f.To)
	if !ok {
		return f, false
	}
	return Flow{Protocol: f.Protocol, From: from, To: to, Name: "localhost", On: Link{f.From, f.To}}, true
}

// addrPort converts gVisor's address.
func addrPort(addr []byte, port uint16) netip.AddrPort {
	a, _ := netip.AddrFromSlice(addr)
	return netip.AddrPortFrom(a.Unmap(), port)
}
