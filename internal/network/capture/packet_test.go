package capture

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	in6, out6 := netip.MustParseAddrPort("[2001:db8::10]:40000"), netip.MustParseAddrPort("[2001:db8::80]:53")
	ports := []byte{0x9c, 0x40, 0, 53, 0, 0, 0, 0}
	datagram := udpDatagram(inside(), outside(), []byte("x"))
	later := slices.Clone(datagram)
	later[7] = 1
	long := slices.Concat(datagram[:20], make([]byte, 8), datagram[20:])
	long[0] = 0x47
	tests := []struct {
		name  string
		link  Link
		frame []byte
		want  packet
		ok    bool
	}{
		{"udp", RawIP, datagram, packet{proto: 17, src: inside(), dst: outside()}, true},
		{"ethernet", Ethernet, ether(datagram), packet{proto: 17, src: inside(), dst: outside()}, true},
		{
			"two tags", Ethernet,
			slices.Concat(make([]byte, 12), []byte{0x88, 0xa8, 0, 1, 0x81, 0, 0, 2, 8, 0}, datagram),
			packet{proto: 17, src: inside(), dst: outside()}, true,
		},
		{
			"opening", RawIP, tcpSegment(inside(), outside(), syn, 7, 0, nil),
			packet{proto: 6, src: inside(), dst: outside(), opens: true, isn: 7}, true,
		},
		{"answer", RawIP, tcpSegment(outside(), inside(), syn|ack, 7, 8, nil), packet{proto: 6, src: outside(), dst: inside()}, true},
		{"options", RawIP, long, packet{proto: 17, src: inside(), dst: outside()}, true},
		{"later fragment", RawIP, later, packet{proto: 17, src: port(inside(), 0), dst: port(outside(), 0)}, true},
		{"ports cut", RawIP, datagram[:23], packet{proto: 17, src: port(inside(), 0), dst: port(outside(), 0)}, true},
		{"ping", RawIP, ip(1, inside().Addr(), outside().Addr(), []byte{8, 0, 1, 2, 3, 4}), packet{proto: 1, src: port(inside(), 0), dst: port(outside(), 0)}, true},
		{"ipv6", Ethernet, ether(udpDatagram(in6, out6, nil)), packet{proto: 17, src: in6, dst: out6}, true},
		{
			"extensions", RawIP,
			ip(0, in6.Addr(), out6.Addr(), slices.Concat([]byte{60, 0, 0, 0, 0, 0, 0, 0}, []byte{51, 1}, make([]byte, 14),
				[]byte{44, 1}, make([]byte, 10), []byte{17, 0, 0, 1, 0, 0, 0, 0}, ports)),
			packet{proto: 17, src: in6, dst: out6}, true,
		},
		{
			"later fragment of ipv6", RawIP, ip(44, in6.Addr(), out6.Addr(), slices.Concat([]byte{17, 0, 0, 8, 0, 0, 0, 0}, ports)),
			packet{proto: 17, src: port(in6, 0), dst: port(out6, 0)}, true,
		},
		{
			"extension beyond the end", RawIP, ip(0, in6.Addr(), out6.Addr(), []byte{17, 255, 0, 0, 0, 0, 0, 0}),
			packet{proto: 17, src: port(in6, 0), dst: port(out6, 0)}, true,
		},
		{"address resolution", Ethernet, slices.Concat(make([]byte, 12), []byte{8, 6}, make([]byte, 28)), packet{}, false},
		{"tags without end", Ethernet, slices.Repeat([]byte{0x81, 0}, 200), packet{}, false},
		{"short header", RawIP, datagram[:19], packet{}, false},
		{"header longer than the frame", RawIP, slices.Concat([]byte{0x4f}, datagram[1:25]), packet{}, false},
		{"header shorter than one", RawIP, slices.Concat([]byte{0x44}, datagram[1:]), packet{}, false},
		{"nothing", Ethernet, nil, packet{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parse(tt.link, tt.frame)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(packet{}), cmpopts.EquateComparable(netip.AddrPort{})); diff != "" || ok != tt.ok {
				t.Errorf("parse: ok %v, want %v; -want +got:\n%s", ok, tt.ok, diff)
			}
		})
	}
}

func TestProtoName(t *testing.T) {
	for proto, want := range map[uint8]string{6: "tcp", 17: "udp", 1: "icmp", 58: "icmp", 47: "ip47"} {
		if got := protoName(proto); got != want {
			t.Errorf("protoName(%d) = %q, want %q", proto, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	in6 := netip.MustParseAddr("2001:db8::1")
	f.Add(tcpSegment(inside(), outside(), syn, 1, 0, nil))
	f.Add(ip(0, in6, in6, []byte{60, 0, 0, 0, 0, 0, 0, 0, 51, 255, 0, 0, 0, 0, 0, 0}))
	f.Add(ip(44, in6, in6, []byte{6, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}))
	f.Add([]byte{0x4f, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := parse(RawIP, b)
		if ok != p.src.IsValid() || ok != p.dst.IsValid() {
			t.Fatalf("ok is %v for %+v", ok, p)
		}
		if p.opens && (p.proto != protoTCP || len(b) < 34) {
			t.Fatalf("%d bytes open a connection: %+v", len(b), p)
		}
		if !ok {
			return
		}
		if framed, _ := parse(Ethernet, ether(b)); framed != p {
			t.Fatalf("%+v, but in a frame %+v", p, framed)
		}
	})
}
