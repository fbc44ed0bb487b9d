package capture

import (
	"encoding/binary"
	"net/netip"
	"strconv"
)

// Link is the type of a frame's header. The values are those of the file
// format.
type Link uint16

// The links of a sandbox.
const (
	Ethernet Link = 1
	RawIP    Link = 101
)

// The protocols that are parsed, by their number in the IP header.
const (
	protoHopByHop   = 0
	protoICMP       = 1
	protoTCP        = 6
	protoUDP        = 17
	protoRouting    = 43
	protoFragment   = 44
	protoAuth       = 51
	protoICMPv6     = 58
	protoDestOption = 60
)

// packet is what a frame's headers say about its flow. Ports are 0 where there
// are none: other protocols, later fragments, truncated headers.
type packet struct {
	proto    uint8
	src, dst netip.AddrPort
	// opens is set for the packet that opens a TCP connection, and isn is the
	// sequence number that distinguishes it from the next connection between
	// the same ports.
	opens bool
	isn   uint32
}

// parse reads the headers of a frame, which can be any bytes. ok is false if
// the frame has no IP packet.
func parse(link Link, frame []byte) (packet, bool) {
	if link == Ethernet {
		frame = afterEthernet(frame)
	}
	switch {
	case len(frame) >= 20 && frame[0]>>4 == 4:
		return parse4(frame)
	case len(frame) >= 40 && frame[0]>>4 == 6:
		return parse6(frame), true
	}
	return packet{}, false
}

// protoName is the name of a protocol in a [Flow].
func protoName(proto uint8) string {
	switch proto {
	case protoTCP:
		return "tcp"
	case protoUDP:
		return "udp"
	case protoICMP, protoICMPv6:
		return "icmp"
	}
	return "ip" + strconv.Itoa(int(proto))
}

// afterEthernet returns the IP packet in a frame, nil if there is none.
func afterEthernet(b []byte) []byte {
	const ipv4, ipv6, vlan, serviceVLAN = 0x0800, 0x86dd, 0x8100, 0x88a8
	for at := 12; at+2 <= len(b); at += 4 { // a VLAN tag has four bytes
		switch binary.BigEndian.Uint16(b[at:]) {
		case ipv4, ipv6:
			return b[at+2:]
		case vlan, serviceVLAN:
		default:
			return nil
		}
	}
	return nil
}

func parse4(b []byte) (packet, bool) {
	header := int(b[0]&0x0f) * 4
	if header < 20 || header > len(b) {
		return packet{}, false
	}
	src, dst := netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20]))
	rest := b[header:]
	if binary.BigEndian.Uint16(b[6:])&0x1fff != 0 {
		rest = nil // a later fragment has no ports
	}
	return transport(b[9], src, dst, rest), true
}

// parse6 skips the extension headers. Each has eight bytes or more, so that the
// loop ends with the frame.
func parse6(b []byte) packet {
	src, dst := netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40]))
	next, rest := b[6], b[40:]
	for len(rest) >= 8 {
		var size int
		switch next {
		case protoHopByHop, protoRouting, protoDestOption:
			size = (int(rest[1]) + 1) * 8
		case protoAuth:
			size = max((int(rest[1])+2)*4, 8)
		case protoFragment:
			if size = 8; binary.BigEndian.Uint16(rest[2:])&0xfff8 != 0 {
				return transport(rest[0], src, dst, nil)
			}
		default:
			return transport(next, src, dst, rest)
		}
		next, rest = rest[0], rest[min(size, len(rest)):]
	}
	return transport(next, src, dst, rest)
}

func transport(proto uint8, src, dst netip.Addr, b []byte) packet {
	p := packet{proto: proto}
	var from, to uint16
	if (proto == protoTCP || proto == protoUDP) && len(b) >= 4 {
		from, to = binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
	}
	p.src, p.dst = netip.AddrPortFrom(src, from), netip.AddrPortFrom(dst, to)
	const syn, ack = 0x02, 0x10
	if proto == protoTCP && len(b) >= 14 && b[13]&(syn|ack) == syn {
		p.opens, p.isn = true, binary.BigEndian.Uint32(b[4:])
	}
	return p
}
