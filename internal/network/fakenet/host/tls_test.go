package host

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHandshakeIsTold(t *testing.T) {
	var keys bytes.Buffer
	o := testOptions(t)
	o.KeyLog = &keys
	w := start(t, o, "api.example", 443)
	resp, err := w.client(t, false).Get("https://api.example/v1/x")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	d := w.handshakes()[0]
	if d.SNI != "api.example" || d.Version != "1.3" || d.Rejected != "" || !strings.HasPrefix(d.JA4, "t13d") {
		t.Errorf("%+v", d)
	}
	if !strings.Contains(keys.String(), "CLIENT_TRAFFIC_SECRET_0 ") {
		t.Errorf("key log: %q", keys.String())
	}
}

func TestRejections(t *testing.T) {
	pin := func([][]byte, [][]*x509.Certificate) error { return errors.New("not the pinned one") }
	for _, tt := range []struct {
		name   string
		config func(*tls.Config)
		send   string
		want   string
	}{
		{"accepted", func(*tls.Config) {}, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", ""},
		{"unknown authority, 1.3", func(c *tls.Config) { c.RootCAs = x509.NewCertPool() }, "", "bad certificate"},
		{"unknown authority, 1.2", func(c *tls.Config) { c.RootCAs, c.MaxVersion = x509.NewCertPool(), tls.VersionTLS12 }, "", "bad certificate"},
		{"pinned", func(c *tls.Config) { c.VerifyPeerCertificate = pin }, "", "bad certificate"},
		{"leaves after the handshake", func(*tls.Config) {}, "", closedLate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, nil, "api.example", 443)
			config := w.tlsConfig()
			tt.config(config)
			c, err := tls.Dial("tcp", w.addr, config)
			if err == nil {
				io.WriteString(c, tt.send)
				if tt.send != "" {
					io.Copy(io.Discard, c)
				}
				c.Close()
			}
			w.end(t, 1)
			if got := w.handshakes(); len(got) != 1 || got[0].Rejected != tt.want {
				t.Errorf("told: %+v", got)
			}
		})
	}
}

// TestLeavesInTheHandshake has a client that disconnects when it sees the
// certificate.
func TestLeavesInTheHandshake(t *testing.T) {
	w := start(t, nil, "api.example", 443)
	raw, err := net.Dial("tcp", w.addr)
	if err != nil {
		t.Fatal(err)
	}
	raw.Write(captureHello(t, w.tlsConfig()))
	raw.Read(make([]byte, 100))
	raw.Close()
	if end := w.end(t, 1)[0]; end.Service != "tls" || end.Cut {
		t.Errorf("%+v", end)
	}
	if got := w.handshakes(); len(got) != 1 || got[0].Rejected != closedEarly {
		t.Errorf("told: %+v", got[0])
	}
}

func TestCertificateNames(t *testing.T) {
	for _, tt := range []struct{ name, sni, want string }{
		{"named.example", "", "named.example"},
		{"named.example", "other.example", "other.example"},
		{"", "", "192.0.2.80"},
	} {
		w := start(t, nil, tt.name, 443)
		c, err := tls.Dial("tcp", w.addr, &tls.Config{ServerName: tt.sni, InsecureSkipVerify: true, MinVersion: tls.VersionTLS12})
		if err != nil {
			t.Fatal(err)
		}
		leaf := c.ConnectionState().PeerCertificates[0]
		names := append([]string{}, leaf.DNSNames...)
		for _, a := range leaf.IPAddresses {
			names = append(names, a.String())
		}
		if diff := cmp.Diff([]string{tt.want}, names); diff != "" {
			t.Error(diff)
		}
		c.Close()
		w.end(t, 1)
	}
}

// TestAnyProtocol accepts the only ALPN protocol of a client.
func TestAnyProtocol(t *testing.T) {
	w := start(t, nil, "a.example", 8883)
	config := w.tlsConfig()
	config.NextProtos = []string{"\xffstrange"}
	c, err := tls.Dial("tcp", w.addr, config)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "\x01\x02 anything at all")
	c.Close()
	end := w.end(t, 1)[0]
	if end.Service != "tls" || end.First != "\x01\x02 anything at all" {
		t.Errorf("%+v", end)
	}
	if got := w.all(""); got != "\x01\x02 anything at all" {
		t.Errorf("sent: %q", got)
	}
}

func TestNoAuthority(t *testing.T) {
	o := testOptions(t)
	o.Authority = nil
	w := start(t, o, "a.example", 443)
	if _, err := tls.Dial("tcp", w.addr, &tls.Config{ServerName: "a.example", MinVersion: tls.VersionTLS12}); err == nil {
		t.Error("TLS was spoken")
	}
	w.end(t, 1)
	if got := w.handshakes(); len(got) != 1 || got[0].SNI != "a.example" {
		t.Errorf("told: %+v", got)
	}
}

// TestTunnel connects through a fake proxy to a fake host.
func TestTunnel(t *testing.T) {
	w := start(t, nil, "proxy.example", 3128)
	client := w.client(t, false)
	transport := client.Transport.(*http.Transport)
	transport.Proxy = http.ProxyURL(mustURL(t, "http://proxy.example:3128"))
	transport.TLSClientConfig.ServerName = ""
	resp, err := client.Get("https://inner.example/v1/x")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	transport.CloseIdleConnections()
	if end := w.end(t, 1)[0]; end.Service != "http/tls/http" {
		t.Errorf("%+v", end)
	}
	if got := w.requests(); len(got) != 2 || got[0].URL != "inner.example:443" || got[1].URL != "https://inner.example/v1/x" {
		t.Errorf("%+v", got)
	}
}

func TestTunnelsInTunnels(t *testing.T) {
	w := start(t, nil, "proxy.example", 3128)
	w.exchange(t, strings.Repeat("CONNECT b.example:3128 HTTP/1.1\r\n\r\n", 50))
	if end := w.end(t, 1)[0]; !end.Cut {
		t.Errorf("%+v", end)
	}
	if n := len(w.requests()); n != maxTunnels+1 {
		t.Errorf("%d tunnels", n)
	}
}
