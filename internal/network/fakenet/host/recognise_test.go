package host

import (
	"net/netip"
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
	for _, tt := range []struct{ text, service, first string }{
		{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "http", ""},
		{"BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", "http", ""},
		{"get / HTTP/1.1\r\nHost: a\r\n\r\n", "http", ""},
		{"PROPFIND /dav HTTP/1.1\r\n\r\n", "http", ""},
		{"CONNECT b.example:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n", "http/http", ""},
		{"CONNECT b.example:9 HTTP/1.1\r\n\r\n\x00\x01\x02", "http", "\x00\x01\x02"},
		{preface, "http", ""},
		{"*1\r\n$4\r\nPING\r\n", "redis", ""},
		{"SSH-2.0-client\r\n", "ssh", ""},
		{"EHLO a.example\r\nQUIT\r\n", "smtp", ""},
		{"\x00\x01\x02\x03\x04", "", "\x00\x01\x02\x03\x04"},
		{"uid=1000(dev) gid=1000(dev)\n", "", "uid=1000(dev) gid=1000(dev)\n"},
		{"\x16\x03\x01\x00\x05\x02nothing", "", "\x16\x03\x01\x00\x05\x02nothing"},
		{"\x05\x01\x00\x05\x01\x00\x01\xc0\x00\x02\x07\x00\x50GET / HTTP/1.1\r\n\r\n", "socks/http", ""},
	} {
		for _, single := range []bool{false, true} {
			if single && strings.HasPrefix(tt.text, "get ") {
				continue // could be a memcached command until the line ends
			}
			var sent strings.Builder
			c := &replay{in: []byte(tt.text), single: single}
			service, first, cut := New(nil).Serve(t.Context(), &Visit{
				Conn: c, To: netip.MustParseAddrPort("192.0.2.80:9000"), Sent: func(_ string, p []byte) { sent.Write(p) },
			})
			if service != tt.service || cut || single == false && string(first) != tt.first || !strings.HasPrefix(tt.first, string(first)) {
				t.Errorf("%q (single: %t): %q, %q, %t", tt.text, single, service, first, cut)
			}
			if tt.first != "" && !strings.HasSuffix(sent.String(), tt.first) {
				t.Errorf("%q: only %q was told", tt.text, sent.String())
			}
		}
	}
}
