// Package netclass distinguishes public Internet addresses from this machine
// and its network, for all connections that are made on behalf of the target.
//
// An address is public if it belongs neither to this machine nor to its network
// and is not reserved. An address that embeds an IPv4 address is judged by
// that.
package netclass

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Forbidden says why an address must not be reached, "" if it is public.
func Forbidden(a netip.Addr) string {
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

// documentation is the reason for addresses reserved for documentation.
const documentation = "for documentation"

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
		{"192.0.2.0/24", documentation},
		{"192.88.99.0/24", "a relay"},
		{"192.168.0.0/16", "private"},
		{"198.18.0.0/15", "for benchmarks"},
		{"198.51.100.0/24", documentation},
		{"203.0.113.0/24", documentation},
		{"224.0.0.0/4", "multicast"},
		{"240.0.0.0/4", "reserved"},
	}
}

// special6 are the reserved ranges within the public range.
func special6() []block {
	return []block{
		{"2001::/32", "a tunnel"},
		{"2001::/23", "reserved"},
		{"2001:db8::/32", documentation},
		{"3fff::/20", documentation},
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

// embedded is the IPv4 address that an IPv6 address leads to: through NAT64,
// 6to4 or ISATAP.
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

// Near says whether an address is reachable only on its own machine or network.
// Documentation addresses belong to nobody.
func Near(a netip.Addr) bool {
	kind := Forbidden(a.Unmap())
	return kind != "" && kind != documentation
}

// Local says whether a name exists only on its own machine or network: a name
// without a dot, a name under a reserved suffix, or an address in an old
// notation, whose last part is a number.
func Local(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	at := strings.LastIndexByte(name, '.')
	switch last := name[at+1:]; last {
	case "localhost", "localdomain", "local", "lan", "home", "internal", "intranet", "corp", "private", "onion", "arpa", "invalid":
		return true
	default:
		return at < 0 || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") && strings.Trim(last[2:], "0123456789abcdef") == ""
	}
}

// Check refuses addresses that are not public, and this machine's own
// addresses.
func Check(a netip.Addr) error {
	if kind := Forbidden(a); kind != "" {
		return fmt.Errorf("%s is %s, which is never reachable", a, kind)
	}
	if Own(a) {
		return fmt.Errorf("%s is this machine's own, which is never reachable", a)
	}
	return nil
}

// Own says whether an address is one of this machine's, or leads to one. If
// that cannot be determined, it returns true.
func Own(a netip.Addr) bool {
	own, err := net.InterfaceAddrs()
	return err != nil || among(a, own)
}

func among(a netip.Addr, own []net.Addr) bool {
	a = a.Unmap()
	inner, _ := embedded(a)
	for _, o := range own {
		p, err := netip.ParsePrefix(o.String())
		if err != nil {
			continue // not an IP address
		}
		if mine := p.Addr().Unmap().WithZone(""); mine == a || mine == inner {
			return true
		}
	}
	return false
}
