package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

var errSilent = errors.New("the registry stopped sending, or sends too slowly")

// courier sends requests to a registry and follows its redirects. It protects
// against a hostile registry: answers are limited in size and time, redirects
// in number, every host but this machine needs TLS, and a remote registry
// cannot redirect to services of this machine.
type courier struct {
	next  http.RoundTripper
	host  string // of the registry, with its port
	limit int64  // of a body
}

func newTransport(control kind.Control) *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second, Resolver: &net.Resolver{PreferGo: true}, Control: control}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   15 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       30 * time.Second,
		// Layers must arrive as they were digested.
		DisableCompression: true,
	}
}

// RoundTrip implements [http.RoundTripper].
func (c *courier) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := c.admit(req); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(req.Context())
	resp, err := c.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &carriedBody{ReadCloser: resp.Body, cancel: cancel, limit: c.limit}
	return resp, nil
}

func (c *courier) admit(req *http.Request) error {
	const redirects = 5
	hops := 0
	for r := req; r.Response != nil && r.Response.Request != nil; r = r.Response.Request {
		hops++
	}
	here, own := isLoopback(req.URL.Hostname()), req.URL.Host == c.host
	switch {
	case hops > redirects:
		return usererr.Usage("the registry %s redirects more than %d times; it is set up wrongly", usererr.Quote(c.host), redirects)
	case here && !isLoopback(hostname(c.host)):
		return usererr.Usage("the registry %s sends to an address of this machine, %s; do not use it", usererr.Quote(c.host), usererr.Quote(req.URL.Host))
	case req.URL.Scheme == "https" || req.URL.Scheme == "http" && here && own:
		return nil
	}
	return usererr.Usage("the registry %s is not encrypted at %s; only one on this machine may be", usererr.Quote(c.host), usererr.Quote(req.URL.Scheme+"://"+req.URL.Host))
}

func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

func isLoopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip.IsLoopback() || ip != nil && ip.IsUnspecified()
}

// carriedBody returns an error if the body is too large or too slow. Only the
// time spent waiting counts.
type carriedBody struct {
	io.ReadCloser

	cancel context.CancelFunc
	limit  int64
	done   int64
	// spent and got are those of the current time window.
	spent time.Duration
	got   int64
}

// Read implements [io.Reader].
func (b *carriedBody) Read(p []byte) (int, error) {
	const idle, window, least = 30 * time.Second, time.Minute, 64 << 10
	start := time.Now()
	stalled := time.AfterFunc(idle, b.cancel)
	n, err := b.ReadCloser.Read(p)
	if !stalled.Stop() {
		return n, errSilent
	}
	if b.done += int64(n); b.done > b.limit {
		return 0, fmt.Errorf("it is larger than %s", usererr.Size(b.limit))
	}
	b.got += int64(n)
	if b.spent += time.Since(start); b.spent > window {
		if b.got < least && err == nil {
			return n, errSilent
		}
		b.spent, b.got = 0, 0
	}
	return n, err
}

// Close implements [io.Closer].
func (b *carriedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
