package wire

import (
	"encoding/binary"
	"net/netip"
)

// MaxLocal is how many ports of the machine itself the fake network serves.
// no gap: a further one is refused as on any machine, and coverage says why a tool failed
const MaxLocal = 8

// A program connects to a port of the machine itself on which nothing listens, and the
// network serves that port: then the kernel accepts the connection, and makes another
// one to the network, to an address that says between which ends the first one is. The
// programs in the sandbox cannot guess such an address, which begins with a secret.

// A Carrier makes such addresses and reads them.
type Carrier struct{ secret uint64 }

// private begins addresses of private networks.
const private = 0xfd

// NewCarrier makes the carrier of a sandbox from random bytes.
func NewCarrier(random [8]byte) Carrier {
	random[0] = private
	return Carrier{binary.BigEndian.Uint64(random[:])}
}

// Valid reports whether connections are carried at all.
func (c Carrier) Valid() bool { return c.secret != 0 }

// At returns the address to which a connection is carried.
func (c Carrier) At(from, to netip.AddrPort) netip.AddrPort {
	var a [16]byte
	binary.BigEndian.PutUint64(a[:], c.secret)
	if to.Addr().Is6() {
		a[13] = 6
	}
	binary.BigEndian.PutUint16(a[14:], from.Port())
	return netip.AddrPortFrom(netip.AddrFrom16(a), to.Port())
}

// Ends returns the ends of the connection that is carried to an address, and false if
// none is.
func (c Carrier) Ends(at netip.AddrPort) (from, to netip.AddrPort, ok bool) {
	a := at.Addr().As16()
	if !c.Valid() || binary.BigEndian.Uint64(a[:]) != c.secret {
		return from, to, false
	}
	machine := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if a[13] == 6 {
		machine = netip.IPv6Loopback()
	}
	return netip.AddrPortFrom(machine, binary.BigEndian.Uint16(a[14:])), netip.AddrPortFrom(machine, at.Port()), true
}

// IsMachine reports whether an address is the one of the machine itself that localhost
// has. Others of 127.0.0.0/8 are used by attacks, and nothing is served there.
func IsMachine(a netip.Addr) bool {
	a = a.Unmap()
	return a == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || a == netip.IPv6Loopback()
}
