package host

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJA4 has the ClientHello of a browser, with GREASE, whose fingerprint is
// published.
func TestJA4(t *testing.T) {
	h := &hello{
		version: 0x0304, hasSNI: true, alpn: []string{"h2", "http/1.1"},
		ciphers:    []uint16{0x2a2a, 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c, 0x009d, 0x002f, 0x0035},
		extensions: []uint16{0x5a5a, 0, 0x17, 0xff01, 0x0a, 0x0b, 0x23, 0x10, 0x05, 0x0d, 0x12, 0x33, 0x2d, 0x2b, 0x1b, 0x4469, 0x15, 0x9a9a},
		signatures: []uint16{0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601},
	}
	if got := h.ja4(); got != "t13d1516h2_8daaf6152771_e5627efa2ab1" {
		t.Error(got)
	}
	for _, tt := range []struct {
		name string
		h    hello
		want string
	}{
		{"nothing", hello{}, "t00i000000_000000000000_000000000000"},
		{"binary ALPN", hello{version: 0x0303, alpn: []string{"\xab\xcd"}}, "t12i0000ad_000000000000_000000000000"},
		{"many", hello{version: 0x0301, ciphers: make([]uint16, 300), extensions: make([]uint16, 300)}, "t10i999900_"},
	} {
		if got := tt.h.ja4(); len(got) != 36 || !bytes.HasPrefix([]byte(got), []byte(tt.want)) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// captureHello is the ClientHello of the standard library.
func captureHello(t testing.TB, config *tls.Config) []byte {
	t.Helper()
	client, server := net.Pipe()
	go func() {
		tls.Client(client, config).Handshake()
		client.Close()
	}()
	defer server.Close()
	p := make([]byte, 16<<10)
	n, err := server.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return p[:n]
}

// spread splits the message into records of that size.
func spread(p []byte, size int) []byte {
	var out []byte
	for message := p[5:]; len(message) > 0; {
		n := min(size, len(message))
		out = append(out, p[:3]...)
		out = binary.BigEndian.AppendUint16(out, uint16(n))
		out = append(out, message[:n]...)
		message = message[n:]
	}
	return out
}

func TestParseHello(t *testing.T) {
	p := captureHello(t, &tls.Config{ServerName: "a.example", NextProtos: []string{"h2", "x"}, MinVersion: tls.VersionTLS12})
	h, err := parseHello(p)
	if err != nil {
		t.Fatal(err)
	}
	if h.sni != "a.example" || h.version != tls.VersionTLS13 || !cmp.Equal(h.alpn, []string{"h2", "x"}) {
		t.Errorf("%+v", h)
	}
	again, err := parseHello(spread(p, 7))
	if err != nil || again.ja4() != h.ja4() {
		t.Error("spread over records it is another", err)
	}
	for n := range p {
		if _, err := parseHello(p[:n]); !errors.Is(err, errHelloShort) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
}

func FuzzHello(f *testing.F) {
	p := captureHello(f, &tls.Config{ServerName: "a.example", NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS10})
	f.Add(p)
	f.Add(spread(p, 3))
	f.Add([]byte{22, 3, 1, 0, 4, 1, 0xff, 0xff, 0xff})
	f.Add(bytes.Repeat([]byte{22, 3, 1, 0, 1, 1}, 100))
	f.Fuzz(func(t *testing.T, p []byte) {
		h, err := parseHello(p)
		if err != nil {
			return
		}
		if got := h.ja4(); len(got) != 36 {
			t.Errorf("a fingerprint of %d bytes: %q", len(got), got)
		}
	})
}
