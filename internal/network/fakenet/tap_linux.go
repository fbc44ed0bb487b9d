package fakenet

import (
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/nested"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// tap passes on a copy of every IP packet, without the link's header.
type tap struct {
	nested.Endpoint
	show func(outbound bool, packet []byte)
}

func newTap(lower stack.LinkEndpoint, show func(outbound bool, packet []byte)) stack.LinkEndpoint {
	t := &tap{show: show}
	t.Init(lower, t)
	return t
}

// DeliverNetworkPacket implements [stack.NetworkDispatcher].
func (t *tap) DeliverNetworkPacket(protocol tcpip.NetworkProtocolNumber, p *stack.PacketBuffer) {
	t.tell(true, protocol, p)
	t.Endpoint.DeliverNetworkPacket(protocol, p)
}

// WritePackets implements [stack.LinkEndpoint].
func (t *tap) WritePackets(list stack.PacketBufferList) (int, tcpip.Error) {
	for _, p := range list.AsSlice() {
		t.tell(false, p.NetworkProtocolNumber, p)
	}
	return t.Endpoint.WritePackets(list)
}

func (t *tap) tell(outbound bool, protocol tcpip.NetworkProtocolNumber, p *stack.PacketBuffer) {
	if protocol != header.IPv4ProtocolNumber && protocol != header.IPv6ProtocolNumber {
		return
	}
	b := p.ToBuffer()
	defer b.Release()
	b.TrimFront(int64(len(p.VirtioNetHeader().Slice()) + len(p.LinkHeader().Slice())))
	t.show(outbound, b.Flatten())
}
