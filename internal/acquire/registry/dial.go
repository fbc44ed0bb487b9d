package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// route is everything that determines a connection. Requests with different
// routes never share one.
type route struct {
	ca          *x509.CertPool
	certificate *tls.Certificate
	proxy       string // "" for none
	allowed     addressClass
}

// addressClass is a set of kinds of non-public addresses: those that may be
// dialled besides public ones, or those that a host has.
type addressClass uint8

const (
	classLoopback addressClass = 1 << iota
	classPrivate
	classLinkLocal
	classReserved
	classAll = classLoopback | classPrivate | classLinkLocal | classReserved
)

// transport returns the transport for u. If u is not the registry's own origin,
// a hostile registry may have chosen it: the client's certificate is not sent
// there, and it must not lead into this machine or its network, unless the
// registry is there itself.
func (c *Client) transport(ctx context.Context, r Registry, u *url.URL, own bool) (*http.Transport, error) {
	proxies := r.proxy
	if proxies == nil {
		proxies = c.proxy
	}
	via := proxies.to(u)
	k := route{ca: r.ca, allowed: classAll}
	if via != nil {
		k.proxy = via.String()
	}
	if own {
		k.certificate = r.certificate
	} else {
		may := c.classesOf(ctx, r.URL, proxies)
		if err := checkClass(u.Hostname(), literal(u.Hostname()), may); err != nil {
			return nil, err
		}
		if via == nil {
			k.allowed = may // a proxy resolves names itself and may be anywhere
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.transports[k] == nil {
		c.transports[k] = c.newTransport(k, via)
	}
	return c.transports[k], nil
}

func (c *Client) newTransport(k route, via *url.URL) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Resolver: c.resolver}
	if k.allowed != classAll {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			return checkClass(address, classOf(ap.Addr()), k.allowed)
		}
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: k.ca}
	if k.certificate != nil {
		config.Certificates = []tls.Certificate{*k.certificate}
	}
	t := &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: config, TLSHandshakeTimeout: 15 * time.Second,
		ResponseHeaderTimeout: c.pace.header, MaxResponseHeaderBytes: 256 << 10,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, IdleConnTimeout: 30 * time.Second,
	}
	if via != nil {
		t.Proxy = http.ProxyURL(via)
	}
	return t
}

// classesOf returns the kinds of addresses that the registry itself has.
func (c *Client) classesOf(ctx context.Context, u *url.URL, proxies *proxySettings) addressClass {
	if at := literal(u.Hostname()); at != 0 || proxies.to(u) != nil {
		return at
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	addrs, err := c.resolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return 0
	}
	var all addressClass
	for _, a := range addrs {
		all |= classOf(a)
	}
	return all
}

func checkClass(host string, is, may addressClass) error {
	if is&^may == 0 {
		return nil
	}
	return refused("the registry sends us to %s, an address of this machine or its network; that is not followed", quote(host))
}

// literal is the class of a host that needs no lookup, 0 for all others.
func literal(host string) addressClass {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return classLoopback
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return 0
	}
	return classOf(addr)
}

// classOf is the class of an address, 0 for a public one.
func classOf(a netip.Addr) addressClass {
	a = embedded(a.Unmap().WithZone(""))
	within := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if netip.MustParsePrefix(p).Contains(a) {
				return true
			}
		}
		return false
	}
	switch {
	case a.IsLoopback():
		return classLoopback
	case a.IsPrivate(), within("100.64.0.0/10", "fec0::/10"):
		return classPrivate
	case a.IsLinkLocalUnicast():
		return classLinkLocal
	case a.IsUnspecified(), a.IsMulticast(), within("0.0.0.0/8", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "100::/64"):
		return classReserved
	}
	return 0
}

// embedded returns the IPv4 address that an IPv6 address leads to: NAT64 and
// 6to4.
func embedded(a netip.Addr) netip.Addr {
	b := a.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return a
}
