package protocols

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world collects what conversations reported.
type world struct {
	mu     sync.Mutex
	ended  *sync.Cond
	active int // conversations still running

	parts  map[string]*strings.Builder
	stream strings.Builder // everything that was sent, in order
	calls  int
	widest int // the largest single report
	mails  []*mcpsf.SMTPDetail

	databases *databases.Databases
}

func newWorld() *world {
	o := &world{parts: map[string]*strings.Builder{}, databases: databases.New()}
	o.ended = sync.NewCond(&o.mu)
	return o
}

func (o *world) conversation(c net.Conn) *Conversation {
	return &Conversation{
		Conn: c, Name: "service.example", Port: 1, Databases: o.databases,
		Mail: func(m *mcpsf.SMTPDetail) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.mails = append(o.mails, m)
		},
		Sent: func(part string, p []byte) {
			o.mu.Lock()
			defer o.mu.Unlock()
			if o.parts[part] == nil {
				o.parts[part] = &strings.Builder{}
			}
			o.parts[part].Write(p)
			if part != "url" { // a url is composed, not sent
				o.stream.Write(p)
			}
			o.calls++
			o.widest = max(o.widest, len(p))
		},
	}
}

// said is everything reported under a part, after all conversations ended.
func (o *world) said(part string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.active > 0 {
		o.ended.Wait()
	}
	if o.parts[part] == nil {
		return ""
	}
	return o.parts[part].String()
}

func (o *world) count(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.active += n
	o.ended.Broadcast()
}

func (o *world) wants(t *testing.T, part string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(o.said(part), text) {
			t.Errorf("part %q does not have %q; it has %q", part, clip(text), clip(o.said(part)))
		}
	}
}

func clip(s string) string { return s[:min(len(s), 1000)] }

// script is a client that sends all its input at once, then reads.
func script(t *testing.T, d *Protocol, input []byte) (*world, string, error) {
	t.Helper()
	o := newWorld()
	c := &fixture{in: bytes.NewReader(input)}
	err := d.Speak(t.Context(), o.conversation(c))
	return o, c.out.String(), err
}

// fixture is a connection whose client has already sent everything.
type fixture struct {
	net.Conn

	in  *bytes.Reader
	out bytes.Buffer
}

func (f *fixture) Read(p []byte) (int, error)       { return f.in.Read(p) }
func (f *fixture) Write(p []byte) (int, error)      { return f.out.Write(p) }
func (f *fixture) Close() error                     { return nil }
func (f *fixture) SetDeadline(time.Time) error      { return nil }
func (f *fixture) SetReadDeadline(time.Time) error  { return nil }
func (f *fixture) SetWriteDeadline(time.Time) error { return nil }
func (f *fixture) LocalAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 1}
}
func (f *fixture) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 9), Port: 40000}
}

// certificate is self-signed.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// serve speaks a protocol on a local port until the test ends.
func serve(t *testing.T, d *Protocol, secure bool) (*world, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := newWorld()
	var served sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	cert := tls.Certificate{}
	if secure {
		cert = certificate(t)
	}
	served.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			o.count(1)
			served.Go(func() {
				defer o.count(-1)
				defer func() { _ = c.Close() }()
				conv := o.conversation(c)
				if secure {
					conv.Upgrade = func() (net.Conn, error) {
						up := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{cert}})
						return up, up.HandshakeContext(ctx)
					}
				}
				if err := d.Speak(ctx, conv); err != nil && ctx.Err() == nil {
					t.Errorf("Speak: %v", err)
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		cancel()
		served.Wait()
	})
	return o, strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// program runs a client program, or skips the test if it is missing.
func program(t *testing.T, stdin, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "PGPASSWORD=hunter2", "PGCONNECT_TIMEOUT=10", "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, clip(string(out)))
	}
	return string(out)
}

// python runs a script with PORT in its environment, or skips the test if a
// module is missing.
func python(t *testing.T, port, script string) string {
	t.Helper()
	interpreter := os.Getenv("MCPSF_TEST_PYTHON")
	if interpreter == "" {
		interpreter = "python3"
	}
	out := program(t, "import sys\nPORT=int("+port+")\ntry:\n"+indent(script)+
		"\nexcept ModuleNotFoundError as e:\n  print('missing:', e.name)\n", interpreter, "-")
	if name, found := strings.CutPrefix(out, "missing: "); found {
		t.Skipf("python has no module %s", strings.TrimSpace(name))
	}
	return out
}

func indent(s string) string { return "  " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ") }
