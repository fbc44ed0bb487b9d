package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is an egress whose names all resolve to loopback, and what was observed
// on it.
type world struct {
	e    *Egress
	ca   *authority.Authority
	name string // the clients' host
	port uint16
	addr string // where clients connect to

	mu   sync.Mutex
	told []host.Observation
	sent map[string]*strings.Builder // by part
	ends []end
	wg   sync.WaitGroup
}

type end struct {
	Service, First  string
	Cut             bool
	Reached, Failed string
}

func start(t testing.TB, o *Options, name string, upstream net.Addr, change ...func(*Egress)) *world {
	t.Helper()
	ca, err := authority.New(bytes.NewReader(bytes.Repeat([]byte{9}, 32)), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{ca: ca, name: name, sent: map[string]*strings.Builder{}, e: New(host.New(&host.Options{Authority: ca, Seed: 7}), o)}
	if upstream != nil {
		w.port = netip.MustParseAddrPort(upstream.String()).Port()
	}
	w.e.check = func(a netip.Addr) error {
		if a == netip.MustParseAddr("127.0.0.1") || a == madeUp {
			return nil
		}
		return errors.New("not for tests")
	}
	w.e.lookup = func(_ context.Context, _, name string) ([]netip.Addr, error) {
		if strings.HasPrefix(name, "gone.") {
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		}
		return []netip.Addr{netip.MustParseAddr("::ffff:127.0.0.1")}, nil
	}
	for _, c := range change {
		c(w.e)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	w.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.wg.Go(func() { w.visit(ctx, c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		cancel()
		w.wg.Wait()
	})
	return w
}

var madeUp = netip.MustParseAddr("104.18.7.7")

func (w *world) visit(ctx context.Context, c net.Conn) {
	var out end
	out.Service, out.First, out.Cut = w.serve(ctx, &host.Visit{
		Conn: c, To: netip.AddrPortFrom(madeUp, w.port), Name: w.name,
		Tell: func(o host.Observation) { w.mu.Lock(); defer w.mu.Unlock(); w.told = append(w.told, o) },
		Sent: func(part string, p []byte) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.sent[part] == nil {
				w.sent[part] = &strings.Builder{}
			}
			w.sent[part].Write(p)
		},
		Led: func(to netip.AddrPort, failure string) {
			if out.Failed = failure; to.IsValid() {
				out.Reached = to.Addr().String()
			}
		},
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ends = append(w.ends, out)
}

func (w *world) serve(ctx context.Context, v *host.Visit) (string, string, bool) {
	service, first, cut := w.e.Serve(ctx, v)
	return service, string(first), cut
}

// end waits until so many visits have ended and returns the last.
func (w *world) end(t testing.TB, visits int) end {
	t.Helper()
	for range 2000 {
		w.mu.Lock()
		ends := w.ends
		w.mu.Unlock()
		if len(ends) >= visits {
			return ends[len(ends)-1]
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d visits did not end", visits)
	return end{}
}

func (w *world) requests() []*mcpsf.HTTPDetail {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []*mcpsf.HTTPDetail
	for _, o := range w.told {
		if o.HTTP != nil {
			list = append(list, o.HTTP)
		}
	}
	return list
}

func (w *world) handshakes() []*mcpsf.TLSDetail {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []*mcpsf.TLSDetail
	for _, o := range w.told {
		if o.TLS != nil {
			list = append(list, o.TLS)
		}
	}
	return list
}

func (w *world) said(part string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sent[part] == nil {
		return ""
	}
	return w.sent[part].String()
}

// dial connects to the egress as the sandbox would.
func (w *world) dial(t testing.TB) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", w.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// client trusts the run's authority.
func (w *world) client(t testing.TB, speaks func(*http.Protocols)) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(w.ca.PEM())
	var p http.Protocols
	speaks(&p)
	tr := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", w.addr)
		},
		TLSClientConfig: &tls.Config{RootCAs: pool}, Protocols: &p, DisableCompression: true,
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: 20 * time.Second}
}

// secure is a connection with TLS to api.example.
func (w *world) secure(t testing.TB, c net.Conn) net.Conn {
	t.Helper()
	config := w.client(t, http1).Transport.(*http.Transport).TLSClientConfig.Clone()
	config.ServerName = "api.example"
	return tls.Client(c, config)
}

func http1(p *http.Protocols) { p.SetHTTP1(true) }
func both(p *http.Protocols)  { p.SetHTTP1(true); p.SetHTTP2(true) }
func http2(p *http.Protocols) { p.SetHTTP2(true) }
func h2c(p *http.Protocols)   { p.SetUnencryptedHTTP2(true) }

// realHost is a server with a certificate for api.example.
func realHost(t testing.TB, secure bool, h http.HandlerFunc) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	ca, err := authority.New(bytes.NewReader(bytes.Repeat([]byte{77}, 32)), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := ca.Leaf("api.example")
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca.PEM())
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if secure {
		s.TLS = &tls.Config{Certificates: []tls.Certificate{*leaf}}
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		var p http.Protocols
		p.SetHTTP1(true)
		p.SetUnencryptedHTTP2(true)
		s.Config.Protocols = &p
		s.Start()
	}
	t.Cleanup(s.Close)
	return s, pool
}

func read(t testing.TB, res *http.Response) string {
	t.Helper()
	p, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return string(p)
}

// trusting verifies the real hosts against these roots.
func trusting(roots *x509.CertPool) func(*Egress) { return func(e *Egress) { e.roots = roots } }

func mustList(t testing.TB, hosts ...string) List {
	t.Helper()
	l, err := ParseList(hosts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
