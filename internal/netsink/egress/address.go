package egress

import (
	"fmt"
	"net"
	"net/netip"
)

// The real Internet is what is left when everything is taken away that is
// this machine, its network, or nobody's. What leads to an IPv4 address is
// judged by that.

// forbidden says what an address is that must not be reached, "" if it is a
// public one.
func forbidden(a netip.Addr) string {
	switch {
	case !a.IsValid():
		return "no address"
	case a.Zone() != "" || a.IsLinkLocalUnicast():
		return "link-local"
	case a.Is4In6():
		return "an IPv4 address in the clothes of IPv6"
	case a.Is4():
		return within(a, special4())
	}
	if inner, ok := embedded(a); ok {
		if kind := within(inner, special4()); kind != "" {
			return kind + " behind a translator"
		}
	}
	if netip.MustParsePrefix("64:ff9b::/96").Contains(a) {
		return ""
	}
	if !netip.MustParsePrefix("2000::/3").Contains(a) {
		return "not of the public Internet"
	}
	return within(a, special6())
}

// block is a range of addresses that is not public.
type block struct{ prefix, kind string }

func special4() []block {
	return []block{
		{"0.0.0.0/8", "unspecified"},
		{"10.0.0.0/8", "private"},
		{"100.64.0.0/10", "private to a provider"},
		{"127.0.0.0/8", "this machine"},
		{"168.63.129.16/32", "a cloud's own"},
		{"169.254.0.0/16", "link-local"},
		{"172.16.0.0/12", "private"},
		{"192.0.0.0/24", "reserved"},
		{"192.0.2.0/24", "for documentation"},
		{"192.88.99.0/24", "a relay"},
		{"192.168.0.0/16", "private"},
		{"198.18.0.0/15", "for benchmarks"},
		{"198.51.100.0/24", "for documentation"},
		{"203.0.113.0/24", "for documentation"},
		{"224.0.0.0/4", "multicast"},
		{"240.0.0.0/4", "reserved"},
	}
}

// special6 are those within what is public.
func special6() []block {
	return []block{
		{"2001::/32", "a tunnel"},
		{"2001::/23", "reserved"},
		{"2001:db8::/32", "for documentation"},
		{"3fff::/20", "for documentation"},
	}
}

func within(a netip.Addr, blocks []block) string {
	for _, b := range blocks {
		if netip.MustParsePrefix(b.prefix).Contains(a) {
			return b.kind
		}
	}
	return ""
}

// embedded is the IPv4 address that an address of IPv6 leads to: through
// NAT64, 6to4 or ISATAP.
func embedded(a netip.Addr) (netip.Addr, bool) {
	b := a.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a):
		return netip.AddrFrom4([4]byte(b[12:])), true
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe:
		return netip.AddrFrom4([4]byte(b[12:])), true
	}
	return netip.Addr{}, false
}

// check refuses what is not public, and what this machine is known by.
func check(a netip.Addr) error {
	if kind := forbidden(a); kind != "" {
		return fmt.Errorf("%s is %s; that is reached in no mode", a, kind)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return fmt.Errorf("finding this machine's own addresses: %w", err)
	}
	return checkOwn(a, own)
}

func checkOwn(a netip.Addr, own []net.Addr) error {
	inner, _ := embedded(a)
	for _, o := range own {
		p, err := netip.ParsePrefix(o.String())
		if err != nil {
			continue // of another kind than IP
		}
		if mine := p.Addr().Unmap().WithZone(""); mine == a || mine == inner {
			return fmt.Errorf("%s is this machine's own; that is reached in no mode", a)
		}
	}
	return nil
}
