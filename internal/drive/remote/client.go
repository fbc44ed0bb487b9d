package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/netclass"
	"github.com/mcpsf/mcpsf/internal/pause"
)

// Resolver looks names up.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// IsNear reports whether a host is on this machine or in its network. A name
// that cannot be resolved counts as public, except names that cannot exist on
// the Internet.
func IsNear(ctx context.Context, r Resolver, host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if a, err := netip.ParseAddr(host); err == nil {
		return near(a)
	}
	if netclass.Local(host) {
		return true
	}
	addrs, err := r.LookupNetIP(ctx, "ip", host)
	return err == nil && slices.ContainsFunc(addrs, near)
}

// near reports whether an address belongs to this machine or its network.
func near(a netip.Addr) bool { return netclass.Near(a) || netclass.Own(a) }

// TransportOptions of [NewTransport].
type TransportOptions struct {
	// Private allows addresses of this machine and its network, because the
	// server is there. Otherwise a redirect, a name or a document could lead us
	// there (SSRF).
	Private bool
	// Proxy chooses the proxy, nil for none.
	Proxy func(*url.URL) (*url.URL, error)
	// Roots default to the machine's.
	Roots *x509.CertPool
}

// NewTransport makes connections to a remote server.
func NewTransport(opts TransportOptions) *http.Transport {
	t := &http.Transport{
		DialContext:         NewDialer(opts.Private || opts.Proxy != nil).DialContext,
		TLSClientConfig:     &tls.Config{RootCAs: opts.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: time.Minute,
		MaxResponseHeaderBytes: 256 << 10, ForceAttemptHTTP2: true,
	}
	if opts.Proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return opts.Proxy(r.URL) }
	}
	return t
}

// NewDialer connects to public addresses, and to those of this machine and its
// network only if that is allowed.
func NewDialer(private bool) *net.Dialer {
	d := &net.Dialer{Timeout: 10 * time.Second}
	if !private {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("an address that makes no sense: %w", err)
			}
			if near(at.Addr()) {
				return errors.New("a server of the Internet leads to an address of this machine or its network; it is not followed there")
			}
			return nil
		}
	}
	return d
}

// Headed adds headers to the requests to one server only.
type Headed struct {
	Base   http.RoundTripper
	Server *url.URL
	Header http.Header
}

// RoundTrip implements [http.RoundTripper].
func (h *Headed) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(h.Header) == 0 || r.URL.Scheme != h.Server.Scheme || r.URL.Host != h.Server.Host {
		return h.Base.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	maps.Copy(r.Header, h.Header)
	return h.Base.RoundTrip(r)
}

// Paced enforces a minimum time between requests.
type Paced struct {
	Base  http.RoundTripper
	Pause time.Duration

	mu   sync.Mutex
	next time.Time
}

// RoundTrip implements [http.RoundTripper].
func (p *Paced) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	now := time.Now()
	at := p.next
	if at.Before(now) {
		at = now
	}
	p.next = at.Add(p.Pause)
	p.mu.Unlock()
	if err := pause.For(r.Context(), at.Sub(now)); err != nil {
		return nil, err
	}
	return p.Base.RoundTrip(r)
}
