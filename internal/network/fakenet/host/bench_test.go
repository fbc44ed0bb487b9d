package host

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func BenchmarkRequests(b *testing.B) {
	for _, bb := range []struct {
		name string
		url  string
		h2   bool
	}{
		{"http1", "http://api.example/v1/things/1", false},
		{"https1", "https://api.example/v1/things/1", false},
		{"https2", "https://api.example/v1/things/1", true},
	} {
		b.Run(bb.name, func(b *testing.B) {
			w := start(b, nil, "api.example", 443)
			w.quiet = true
			client := w.client(b, bb.h2)
			for b.Loop() {
				resp, err := client.Post(bb.url, "application/json", strings.NewReader(`{"a":"some data that was found"}`))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// BenchmarkServe measures without a network.
func BenchmarkServe(b *testing.B) {
	h := New(testOptions(b))
	one := []byte("POST /v1/things/1 HTTP/1.1\r\nHost: api.example\r\nUser-Agent: x\r\nContent-Length: 4\r\n\r\nabcd")
	const batch = 500
	all := bytes.Repeat(one, batch)
	for b.Loop() {
		h.Serve(b.Context(), &Visit{Conn: &replay{in: all}, To: netip.MustParseAddrPort("192.0.2.80:80")})
	}
	b.ReportMetric(float64(b.N)*batch/b.Elapsed().Seconds(), "requests/s")
}

func BenchmarkHandshake(b *testing.B) {
	w := start(b, nil, "api.example", 443)
	w.quiet = true
	client := w.client(b, false)
	client.Transport.(*http.Transport).DisableKeepAlives = true
	for b.Loop() {
		resp, err := client.Get("https://api.example/v1/x")
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}

func BenchmarkUpload(b *testing.B) {
	h := New(nil)
	body := append([]byte("POST / HTTP/1.1\r\nContent-Length: 16777216\r\nConnection: close\r\n\r\n"), make([]byte, 16<<20)...)
	b.SetBytes(16 << 20)
	for b.Loop() {
		var c net.Conn = &replay{in: body}
		h.Serve(b.Context(), &Visit{Conn: c, To: netip.MustParseAddrPort("192.0.2.80:80"), Sent: func(string, []byte) {}})
	}
}
