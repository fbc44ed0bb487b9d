package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
)

// link is a pair of sockets with the fake network at one end and a network stack
// like the sandbox's at the other.
type link struct {
	ends  [2]*os.File
	sink  *fakenet.Network
	stack *stack.Stack
}

func newLink(ctx context.Context, directory *names.Directory, ca *authority.Authority) (*link, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a link: %w", err)
	}
	for _, fd := range pair { // as large as in the sandbox
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, 4<<20)
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 4<<20)
	}
	l := &link{ends: [2]*os.File{os.NewFile(uintptr(pair[0]), "link"), os.NewFile(uintptr(pair[1]), "link")}}
	l.sink, err = fakenet.New(ctx, l.ends[0], &fakenet.Options{
		Names: directory, Host: host.New(&host.Options{Authority: ca, Seed: 1}),
		Lookup: func(fakenet.Lookup) {}, Refused: func(fakenet.Flow) {},
	})
	if err == nil {
		err = l.build(int(l.ends[1].Fd()))
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// build makes the sandbox's side.
func (l *link) build(fd int) error {
	const nic = 1
	endpoint, err := fdbased.New(&fdbased.Options{
		FDs: []int{fd}, MTU: 1500, EthernetHeader: true, PacketDispatchMode: fdbased.RecvMMsg, ProcessorsPerChannel: 1,
		Address: tcpip.LinkAddress([]byte{0x3c, 0x52, 0x82, 0x11, 0x22, 0x33}),
	})
	if err != nil {
		return fmt.Errorf("starting the other end: %w", err)
	}
	l.stack = stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, arp.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol, udp.NewProtocol},
	})
	if err := l.stack.CreateNIC(nic, endpoint); err != nil {
		return fmt.Errorf("starting the other end: %s", err)
	}
	own := tcpip.ProtocolAddress{Protocol: ipv4.ProtocolNumber, AddressWithPrefix: tcpip.AddressWithPrefix{
		Address: addressOf(netip.MustParseAddr(mcpsf.NetAddress4)), PrefixLen: mcpsf.NetPrefix4,
	}}
	if err := l.stack.AddProtocolAddress(nic, own, stack.AddressProperties{}); err != nil {
		return fmt.Errorf("starting the other end: %s", err)
	}
	l.stack.SetRouteTable([]tcpip.Route{
		{Destination: own.AddressWithPrefix.Subnet(), NIC: nic},
		{Destination: header.IPv4EmptySubnet, Gateway: addressOf(netip.MustParseAddr(mcpsf.NetRouter4)), NIC: nic},
	})
	return nil
}

func addressOf(a netip.Addr) tcpip.Address { return tcpip.AddrFromSlice(a.AsSlice()) }

func (l *link) dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	return gonet.DialContextTCP(ctx, l.stack, tcpip.FullAddress{Addr: addressOf(to.Addr()), Port: to.Port()}, ipv4.ProtocolNumber)
}

// resolver returns a socket that is connected to the router's resolver.
func (l *link) resolver() (net.Conn, error) {
	to := &tcpip.FullAddress{Addr: addressOf(netip.MustParseAddr(mcpsf.NetRouter4)), Port: 53}
	return gonet.DialUDP(l.stack, nil, to, ipv4.ProtocolNumber)
}

// close ends the fake network first, because it is waited for. The other end's
// stack ends with the process.
func (l *link) close() {
	if l.sink != nil {
		l.sink.Close()
	}
	for _, f := range l.ends {
		_ = f.Close()
	}
}
