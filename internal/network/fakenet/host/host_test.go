package host

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sentPart is one call of Sent.
type sentPart struct{ Part, Text string }

// visitEnd is what Serve returned.
type visitEnd struct {
	Service string
	First   string
	Cut     bool
}

// world is a host behind a listener, and what it reported.
type world struct {
	host *Host
	ca   *authority.Authority
	addr string // the listener's address
	to   netip.AddrPort
	name string
	// databases are those of all visits; nil: each has its own.
	databases *databases.Databases
	// quiet discards what is reported, for benchmarks.
	quiet bool

	mu   sync.Mutex
	told []Observation
	sent []sentPart
	ends []visitEnd
	// unread counts the visits that left something unread.
	unread int
	wg     sync.WaitGroup
}

func testOptions(t testing.TB) *Options {
	t.Helper()
	ca, err := authority.New(bytes.NewReader(bytes.Repeat([]byte{9}, 32)), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &Options{
		Authority: ca, Seed: 7, Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) },
		Metadata: services.Metadata{AWSKeyID: "ASIAEXAMPLE", AWSSecret: "aws-secret", AWSToken: "aws-token", GCPToken: "gcp-token", AzureToken: "azure-token"},
		Resolve: func(name, kind string) []dnsmessage.Resource {
			if strings.HasPrefix(name, "no.") {
				return nil
			}
			if kind != "A" {
				return []dnsmessage.Resource{}
			}
			n, err := dnsmessage.NewName(name + ".")
			if err != nil {
				return nil
			}
			return []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: n, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: 60},
				Body:   &dnsmessage.AResource{A: [4]byte{192, 0, 2, 9}},
			}}
		},
	}
}

// start serves every connection as one to that name and port; port 0 means the
// real port.
func start(t testing.TB, o *Options, name string, port uint16) *world {
	t.Helper()
	return startWith(t, o, name, port, nil)
}

// startWith does the same with databases for all connections.
func startWith(t testing.TB, o *Options, name string, port uint16, d *databases.Databases) *world {
	t.Helper()
	if o == nil {
		o = testOptions(t)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{host: New(o), ca: o.Authority, addr: l.Addr().String(), name: name, databases: d, to: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.80"), port)}
	if port == 0 {
		w.to = netip.MustParseAddrPort(w.addr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.wg.Go(func() { w.serve(ctx, c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		cancel()
		w.wg.Wait()
	})
	return w
}

func (w *world) serve(ctx context.Context, c net.Conn) {
	if w.quiet {
		w.host.Serve(ctx, &Visit{Conn: c, To: w.to, Name: w.name, Databases: w.databases, Tell: func(Observation) {}, Sent: func(string, []byte) {}})
		return
	}
	service, first, cut := w.host.Serve(ctx, &Visit{
		Conn: c, To: w.to, Name: w.name, Databases: w.databases,
		Tell: func(o Observation) { w.mu.Lock(); defer w.mu.Unlock(); w.told = append(w.told, o) },
		Sent: func(part string, p []byte) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.sent = append(w.sent, sentPart{part, string(p)})
		},
		Unread: func() { w.mu.Lock(); defer w.mu.Unlock(); w.unread++ },
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ends = append(w.ends, visitEnd{service, string(first), cut})
}

// end waits until so many visits have ended.
func (w *world) end(t testing.TB, visits int) []visitEnd {
	t.Helper()
	for range 2000 {
		w.mu.Lock()
		ends := w.ends
		w.mu.Unlock()
		if len(ends) >= visits {
			return ends
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d of %d visits ended", len(w.ends), visits)
	return nil
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

func (w *world) hits() []*mcpsf.ExecProofDetail {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []*mcpsf.ExecProofDetail
	for _, o := range w.told {
		if o.ExecProof != nil {
			list = append(list, o.ExecProof)
		}
	}
	return list
}

// all is everything that was sent under a part.
func (w *world) all(part string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	for _, s := range w.sent {
		if s.Part == part {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// caFile is the root certificate in a file.
func (w *world) caFile(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(name, w.ca.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func (w *world) tlsConfig() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(w.ca.Root())
	return &tls.Config{RootCAs: pool, ServerName: w.name, MinVersion: tls.VersionTLS12}
}

// client connects to the world whatever host it is asked for.
func (w *world) client(t testing.TB, h2 bool) *http.Client {
	t.Helper()
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, w.addr)
		},
		TLSClientConfig: w.tlsConfig(), ForceAttemptHTTP2: h2,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// exchange sends bytes and reads everything that comes back.
func (w *world) exchange(t testing.TB, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", w.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		io.WriteString(c, text)
		c.(*net.TCPConn).CloseWrite()
	}()
	reply, err := io.ReadAll(io.LimitReader(c, 64<<20))
	if err != nil {
		t.Logf("reading the reply: %v", err)
	}
	return string(reply)
}
