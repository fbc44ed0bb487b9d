package server

import (
	"fmt"
	"iter"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxHops is how many proxies in a row are followed.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxHops = 32

// Proxies are the networks of trusted reverse proxies. Only their
// X-Forwarded-For and X-Forwarded-Proto are believed: any client can send the
// same headers.
type Proxies []netip.Prefix

// ParseProxies reads a list of networks and addresses: 10.0.0.0/8,2001:db8::1.
func ParseProxies(list string) (Proxies, error) {
	var all Proxies
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		p, err := parseNetwork(text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err == nil && p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	switch {
	case err != nil:
		return netip.Prefix{}, fmt.Errorf("%.80q is not an address or a network such as 10.0.0.0/8", text)
	case p.Bits() == 0:
		return netip.Prefix{}, fmt.Errorf("%.80q matches every address: any client could fake its own", text)
	case p != p.Masked():
		return netip.Prefix{}, fmt.Errorf("%.80q is an address within a network; write %s or %s", text, p.Masked(), p.Addr())
	}
	return p, nil
}

// client is the address that a request comes from: that of the peer or, as long
// as that is a proxy, the one that the proxy says it got the request from. Each
// proxy appends what it saw, so the list is read from its end, and what a client
// made up is never reached. Reading stops at an entry that is no address.
//
// Forwarded is not read: a proxy that knows only one of the two headers passes
// the other on as the client wrote it.
func (p Proxies) client(r *http.Request) (addr netip.Addr, ok bool) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	addr = plain(at.Addr())
	hops := 0
	for text := range backwards(r.Header.Values("X-Forwarded-For")) {
		before, ok := hop(text)
		if hops++; !ok || hops > maxHops || !p.has(addr) {
			break
		}
		addr = before
	}
	return addr, true
}

// clientName identifies a client by its address. In IPv6 that is its /64 network,
// because a client usually has all addresses in it.
func (p Proxies) clientName(r *http.Request) string {
	addr, ok := p.client(r)
	if !ok {
		return r.RemoteAddr
	}
	if addr.Is4() {
		return addr.String()
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}

// https tells whether a proxy says that its client uses TLS.
func (p Proxies) https(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !p.has(plain(at.Addr())) {
		return false
	}
	for text := range backwards(r.Header.Values("X-Forwarded-Proto")) {
		return strings.EqualFold(text, "https") // the nearest proxy decides
	}
	return false
}

func (p Proxies) has(addr netip.Addr) bool {
	for _, network := range p {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// backwards are the entries of a list that may span several headers, the last
// one first.
func backwards(lists []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, list := range slices.Backward(lists) {
			for more := true; more; {
				comma := strings.LastIndexByte(list, ',')
				if !yield(strings.TrimSpace(list[comma+1:])) {
					return
				}
				if more = comma >= 0; more {
					list = list[:comma]
				}
			}
		}
	}
}

// hop reads one address of the list, with or without brackets and a port.
func hop(text string) (addr netip.Addr, ok bool) {
	if len(text) > 80 { // longer than any address
		return netip.Addr{}, false
	}
	if at, err := netip.ParseAddrPort(text); err == nil {
		return plain(at.Addr()), true
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if text, ok = strings.CutSuffix(inner, "]"); !ok {
			return netip.Addr{}, false
		}
	}
	addr, err := netip.ParseAddr(text)
	return plain(addr), err == nil
}

// plain is an address in the form that prefixes compare: IPv4 is unmapped from
// IPv6, and the zone, which means something on one machine only, is dropped.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }
