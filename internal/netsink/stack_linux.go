package netsink

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/icmp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf"
)

const (
	nic  = 1
	mtu  = 1500
	port = 53
	// maxTalks bounds the conversations with resolvers at one time.
	maxTalks = 256
	// talkPatience is how long a quiet conversation with a resolver lasts:
	// clients ask for both kinds of addresses from one socket.
	talkPatience = 5 * time.Second
)

// Sink is a network at work.
type Sink struct {
	opts   *Options
	served *served
	stack  *stack.Stack
	link   int
	quiet  int // the other end of what takes the link's place at the end

	talks   chan struct{} // one place for each conversation with a resolver
	closing chan struct{}
	missed  atomic.Int64

	mu      sync.Mutex // guards closed and the beginning of work
	closed  bool
	working sync.WaitGroup
}

// New takes over the link, which must stay open until [Sink.Close].
func New(link *os.File, opts *Options) (*Sink, error) {
	s := &Sink{
		opts: opts, served: newServed(opts.Serve),
		talks: make(chan struct{}, maxTalks), closing: make(chan struct{}), quiet: -1,
	}
	var err error
	if s.link, err = unix.FcntlInt(link.Fd(), unix.F_DUPFD_CLOEXEC, 3); err != nil {
		return nil, fmt.Errorf("taking over the network link: %w", err)
	}
	if err := s.build(); err != nil {
		_ = unix.Close(s.link)
		return nil, err
	}
	return s, nil
}

func (s *Sink) build() error {
	endpoint, err := fdbased.New(&fdbased.Options{
		FDs: []int{s.link}, MTU: mtu, EthernetHeader: true, PacketDispatchMode: fdbased.RecvMMsg, ProcessorsPerChannel: 1,
		Address: tcpip.LinkAddress([]byte{0x44, 0xd9, 0xe7, 0x50, 0x1b, 0xc4}),
	})
	if err != nil {
		return fmt.Errorf("starting the network: %w", err)
	}
	s.stack = stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, ipv6.NewProtocol, arp.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol, udp.NewProtocol, icmp.NewProtocol4, icmp.NewProtocol6},
	})
	if err := s.configure(endpoint); err != nil {
		s.stack.Destroy()
		return err
	}
	const window, inFlight = 0, 1024
	s.stack.SetTransportProtocolHandler(tcp.ProtocolNumber, tcp.NewForwarder(s.stack, window, inFlight, s.tcp).HandlePacket)
	s.stack.SetTransportProtocolHandler(udp.ProtocolNumber, udp.NewForwarder(s.stack, s.udp).HandlePacket)
	return nil
}

func (s *Sink) configure(endpoint stack.LinkEndpoint) error {
	failed := func(what string, err tcpip.Error) error {
		return fmt.Errorf("starting the network: %s: %s", what, err)
	}
	if err := s.stack.CreateNIC(nic, endpoint); err != nil {
		return failed("interface", err)
	}
	addresses := []netip.Addr{netip.MustParseAddr(mcpsf.NetRouter4), netip.MustParseAddr(mcpsf.NetRouter6)}
	for _, a := range s.served.names {
		addresses = append(addresses, a)
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
	// Frames for any address are ours, and ours may come from any.
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

// Listen returns where connections to a served name arrive.
func (s *Sink) Listen(name string) net.Listener {
	return s.served.ports[netip.AddrPortFrom(s.served.names[name], 80)]
}

// Close ends every conversation and waits for it.
func (s *Sink) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.closing)
	for _, l := range s.served.ports {
		_ = l.Close()
	}
	s.unplug()
	s.stack.Destroy()
	s.working.Wait()
	_ = unix.Close(s.link)
	_ = unix.Close(s.quiet)
}

// unplug puts a quiet socket in the place of the link. The stack stops only
// when it finds nothing to read, and at the end of a stream, where the other
// side is gone, it would find nothing without ever waiting.
func (s *Sink) unplug() {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return
	}
	_ = unix.Dup3(pair[0], s.link, unix.O_CLOEXEC)
	_ = unix.Close(pair[0])
	s.quiet = pair[1]
}

// tcp decides about a connection that is being opened.
func (s *Sink) tcp(r *tcp.ForwarderRequest) {
	from, to := ends(r.ID())
	l := s.served.ports[to]
	isDNS := to.Port() == port
	if l == nil && !isDNS {
		s.opts.Refused(Flow{Protocol: "tcp", From: from, To: to})
		r.Complete(true)
		return
	}
	var queue waiter.Queue
	ep, err := r.CreateEndpoint(&queue)
	if err != nil {
		r.Complete(true)
		return
	}
	r.Complete(false)
	conn := gonet.NewTCPConn(&queue, ep)
	switch {
	case !isDNS && !l.offer(conn):
		_ = conn.Close()
	case isDNS && !s.talk(conn, func() { s.dnsStream(conn, from, to) }):
		_ = conn.Close()
		s.missed.Add(1)
	}
}

// udp decides about the first datagram from a socket to another. What is not
// handled is answered like a closed port.
func (s *Sink) udp(r *udp.ForwarderRequest) bool {
	from, to := ends(r.ID())
	if to.Port() != port {
		s.opts.Refused(Flow{Protocol: "udp", From: from, To: to})
		return false
	}
	var queue waiter.Queue
	ep, err := r.CreateEndpoint(&queue)
	if err != nil {
		return false
	}
	conn := gonet.NewUDPConn(&queue, ep)
	if !s.talk(conn, func() { s.dnsDatagrams(conn, from, to) }) {
		// No answer, but nobody hides a question behind many others.
		var query bytes.Buffer
		if _, err := ep.Read(&query, tcpip.ReadOptions{}); err == nil {
			_ = s.reply(query.Bytes(), from, to)
		}
		_ = conn.Close()
	}
	return true
}

// Missed is how many conversations with resolvers were cut off, so that it is
// not known what was asked.
func (s *Sink) Missed() int64 { return s.missed.Load() }

// talk runs a conversation with a resolver unless there are too many.
func (s *Sink) talk(conn net.Conn, run func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || !enter(s.talks) {
		return false
	}
	s.working.Go(func() {
		defer func() { <-s.talks }()
		stop := make(chan struct{})
		s.working.Go(func() {
			select {
			case <-stop:
			case <-s.closing:
			}
			_ = conn.Close()
		})
		defer close(stop)
		run()
	})
	return true
}

// enter takes one of a limited number of places.
func enter(places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *Sink) reply(query []byte, from, to netip.AddrPort) []byte {
	return s.served.answer(query, func(name, kind string, found bool) {
		s.opts.Lookup(Lookup{Name: name, Type: kind, From: from, Server: to, Found: found})
	})
}

func (s *Sink) dnsDatagrams(conn net.Conn, from, to netip.AddrPort) {
	query := make([]byte, mtu)
	for {
		_ = conn.SetReadDeadline(time.Now().Add(talkPatience))
		n, err := conn.Read(query)
		if err != nil {
			return
		}
		if reply := s.reply(query[:n], from, to); reply != nil {
			if _, err := conn.Write(reply); err != nil {
				return
			}
		}
	}
}

// dnsStream speaks the form in which every message has its length before it.
func (s *Sink) dnsStream(conn net.Conn, from, to netip.AddrPort) {
	const lengthSize = 2
	for {
		_ = conn.SetDeadline(time.Now().Add(talkPatience))
		var length [lengthSize]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, int(length[0])<<8|int(length[1]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		reply := s.reply(query, from, to)
		if reply == nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(reply) >> 8), byte(len(reply))}, reply...)); err != nil {
			return
		}
	}
}

// ends are both ends of a flow as the target sees it.
func ends(id stack.TransportEndpointID) (from, to netip.AddrPort) {
	return addrPort(id.RemoteAddress.AsSlice(), id.RemotePort), addrPort(id.LocalAddress.AsSlice(), id.LocalPort)
}
