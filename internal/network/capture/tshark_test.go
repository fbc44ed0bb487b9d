package capture

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tshark opens the file, decrypts it and shows the comments.
func TestTshark(t *testing.T) {
	tshark := requireTool(t, "tshark")
	in6, out6 := netip.MustParseAddrPort("[2001:db8::10]:40000"), netip.MustParseAddrPort("[2001:db8::80]:443")
	tests := []struct {
		name           string
		link           Link
		version        uint16
		client, server netip.AddrPort
	}{
		{"TLS 1.3 over IPv4 and Ethernet", Ethernet, tls.VersionTLS13, inside(), outside()},
		{"TLS 1.2 over IPv6", RawIP, tls.VersionTLS12, in6, out6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSpool(t, Options{Link: tt.link, Now: clock(time.Millisecond)})
			w := &wire{spool: s, link: tt.link, client: tt.client, server: tt.server, next: [2]uint32{1000, 5000}}
			w.converse(t, tt.version)
			name := save(t, s, func(_ Flow, first bool, _ time.Time) []string {
				if first {
					return []string{"event 7", "call 3: get_weather\x1b[31m"}
				}
				return nil
			})

			requests := run(t, tshark, "-r", name, "-Y", `http.request && http contains "token=marked"`, "-T", "fields", "-e", "http.request.method",
				"-e", "http.request.uri", "-e", "http.host", "-e", "frame.interface_name", "-e", "frame.packet_flags_direction")
			if want := "POST\t/v1/collect?city=Lima\tapi.example\tsandbox\t0x00000002\n"; requests != want {
				t.Errorf("requests %q, want %q", requests, want)
			}
			answers := run(t, tshark, "-r", name, "-Y", "http.response", "-T", "fields", "-e", "http.response.code",
				"-e", "ip.src", "-e", "ip.dst", "-e", "ipv6.src", "-e", "ipv6.dst", "-e", "frame.packet_flags_direction")
			ends := fmt.Sprintf("%s\t%s\t\t", tt.server.Addr(), tt.client.Addr())
			if tt.server.Addr().Is6() {
				ends = fmt.Sprintf("\t\t%s\t%s", tt.server.Addr(), tt.client.Addr())
			}
			if want := "200\t" + ends + "\t0x00000001\n"; answers != want {
				t.Errorf("answers %q, want %q", answers, want)
			}
			comments := run(t, tshark, "-r", name, "-Y", "frame.comment", "-T", "fields", "-e", "frame.number", "-e", "frame.comment", "-e", "frame.time_epoch")
			if want := "1\tevent 7,call 3: get_weather[31m\t1767323045.00"; !strings.HasPrefix(comments, want) || strings.Count(comments, "\n") != 1 {
				t.Errorf("comments %q, want %q", comments, want)
			}
			if wrong := run(t, tshark, "-r", name, "-Y", "_ws.malformed || tcp.analysis.flags"); wrong != "" {
				t.Errorf("packets that make no sense:\n%s", wrong)
			}
		})
	}
}

// Wireshark's summary of the file shows first that frames were left out.
func TestCapinfos(t *testing.T) {
	capinfos := requireTool(t, "capinfos")
	s := newSpool(t, Options{Max: 10000, Now: clock(time.Second)})
	for range 20 {
		s.Frame(true, ether(udpDatagram(inside(), outside(), make([]byte, 1000))))
	}
	s.Secret([]byte("CLIENT_RANDOM aa bb"))
	got := run(t, capinfos, save(t, s, nil))
	totals := s.Totals()
	for _, want := range []string{
		fmt.Sprintf("%d frames, %d bytes were left out from 2026-01-02T03:04:", totals.LeftFrames, totals.LeftBytes),
		"Capture oper-sys:    mcpsf", "Capture application: mcpsf", "Name = sandbox", "Time precision = nanoseconds",
		"Number of decryption secrets in file: 1", fmt.Sprintf("Number of packets = %d", totals.Frames),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// requireTool returns the path of one of Wireshark's programs.
func requireTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("MCPSF_REQUIRE_TSHARK") == "1" {
		t.Fatalf("MCPSF_REQUIRE_TSHARK is set, but: %v", err)
	}
	t.Skipf("the capture is not read by %s: %v", name, err)
	return ""
}

func save(t *testing.T, s *Spool, comment func(Flow, bool, time.Time) []string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "traffic.pcapng")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(f, comment); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	// The user's Wireshark settings would change the output.
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "TZ=UTC", "LC_ALL=C.UTF-8")
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, complaints.String())
	}
	return out.String()
}

// wire writes the frames of a connection to a spool.
type wire struct {
	spool          *Spool
	link           Link
	client, server netip.AddrPort

	mu   sync.Mutex
	next [2]uint32 // sequence numbers of the client and the server
}

// send makes a segment from the client or the server.
func (w *wire) send(fromClient bool, flags byte, data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	src, dst, me, peer := w.client, w.server, 0, 1
	if !fromClient {
		src, dst, me, peer = dst, src, peer, me
	}
	frame := tcpSegment(src, dst, flags, w.next[me], w.next[peer]*uint32(flags&ack/ack), data)
	if w.link == Ethernet {
		frame = ether(frame)
	}
	w.next[me] += uint32(len(data)) + uint32(flags&syn/syn) + uint32(flags&fin)
	w.spool.Frame(fromClient, frame)
}

// tap is one end of a connection whose bytes are also written to the wire.
type tap struct {
	net.Conn
	w          *wire
	fromClient bool
}

func (c tap) Write(p []byte) (int, error) {
	const segment = 1400
	for at := 0; at < len(p); at += segment {
		c.w.send(c.fromClient, ack, p[at:min(at+segment, len(p))])
	}
	return c.Conn.Write(p)
}

// converse makes one HTTPS request. The server logs the secrets, as the fake
// network does.
func (w *wire) converse(t *testing.T, version uint16) {
	t.Helper()
	certificate, roots := mint(t)
	w.send(true, syn, nil)
	w.send(false, syn|ack, nil)
	w.send(true, ack, nil)
	a, b := net.Pipe()
	client := tls.Client(tap{a, w, true}, &tls.Config{ServerName: "api.example", RootCAs: roots, MaxVersion: version})
	server := tls.Server(tap{b, w, false}, &tls.Config{Certificates: []tls.Certificate{certificate}, MaxVersion: version, KeyLogWriter: w.spool.KeyLog()})
	var group sync.WaitGroup
	group.Go(func() {
		defer b.Close()
		if err := answer(server); err != nil {
			t.Errorf("server: %v", err)
		}
	})
	if err := ask(client); err != nil {
		t.Errorf("client: %v", err)
	}
	a.Close()
	group.Wait()
	w.send(true, fin|ack, nil)
	w.send(false, fin|ack, nil)
	w.send(true, ack, nil)
}

func ask(c *tls.Conn) error {
	req, err := http.NewRequest(http.MethodPost, "https://api.example/v1/collect?city=Lima", strings.NewReader("token=marked"))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "text/plain")
	if err := req.Write(c); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if diff := cmp.Diff("{}", string(body)); diff != "" {
		return fmt.Errorf("body, -want +got:\n%s (%w)", diff, err)
	}
	return nil
}

func answer(c *tls.Conn) error {
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return err
	}
	_, err = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
	return err
}

// mint makes a certificate for api.example and the roots that trust it.
func mint(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"api.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}
