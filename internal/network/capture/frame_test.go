package capture

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// Addresses that tests use: the sandbox and others.
func inside() netip.AddrPort  { return netip.MustParseAddrPort("192.0.2.10:40000") }
func outside() netip.AddrPort { return netip.MustParseAddrPort("192.0.2.80:443") }

// port is the same address with another port.
func port(a netip.AddrPort, p int) netip.AddrPort { return netip.AddrPortFrom(a.Addr(), uint16(p)) }

// The flags of TCP segments.
const (
	fin = 0x01
	syn = 0x02
	ack = 0x10
)

func tcpSegment(src, dst netip.AddrPort, flags byte, seq, acked uint32, data []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, src.Port())
	b = binary.BigEndian.AppendUint16(b, dst.Port())
	b = binary.BigEndian.AppendUint32(b, seq)
	b = binary.BigEndian.AppendUint32(b, acked)
	b = append(b, 5<<4, flags, 0xff, 0xff, 0, 0, 0, 0)
	return ip(protoTCP, src.Addr(), dst.Addr(), append(b, data...))
}

func udpDatagram(src, dst netip.AddrPort, data []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, src.Port())
	b = binary.BigEndian.AppendUint16(b, dst.Port())
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(data)))
	b = append(b, 0, 0)
	return ip(protoUDP, src.Addr(), dst.Addr(), append(b, data...))
}

// ip puts an IP header in front, in the version of the addresses.
func ip(proto byte, src, dst netip.Addr, data []byte) []byte {
	var b []byte
	if src.Is4() {
		b = append(b, 0x45, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(20+len(data)))
		b = append(b, 0, 0, 0, 0, 64, proto, 0, 0)
	} else {
		b = append(b, 0x60, 0, 0, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(len(data)))
		b = append(b, proto, 64)
	}
	return slices.Concat(b, src.AsSlice(), dst.AsSlice(), data)
}

// ether puts an Ethernet header in front.
func ether(packet []byte) []byte {
	kind := []byte{0x08, 0x00}
	if packet[0]>>4 == 6 {
		kind = []byte{0x86, 0xdd}
	}
	return slices.Concat([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}, kind, packet)
}

// clock returns a clock that advances by step at each call.
func clock(step time.Duration) func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC).Add(-step)
	return func() time.Time {
		at = at.Add(step)
		return at
	}
}

func newSpool(t *testing.T, opts Options) *Spool {
	t.Helper()
	s, err := NewSpool(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
