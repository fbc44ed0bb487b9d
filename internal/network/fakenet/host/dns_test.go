package host

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"
)

func query(t testing.TB, name string, kind dnsmessage.Type) []byte {
	t.Helper()
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: 77, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET}},
	}
	p, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func unpack(t testing.TB, p []byte) (dnsmessage.RCode, int) {
	t.Helper()
	var m dnsmessage.Message
	if err := m.Unpack(p); err != nil {
		t.Fatal(err)
	}
	if m.ID != 77 || !m.Response {
		t.Errorf("header: %+v", m.Header)
	}
	return m.RCode, len(m.Answers)
}

func TestDNSOverHTTPS(t *testing.T) {
	h := New(testOptions(t))
	for _, tt := range []struct {
		name    string
		kind    dnsmessage.Type
		code    dnsmessage.RCode
		answers int
		told    Lookup
	}{
		{"a.example.", dnsmessage.TypeA, dnsmessage.RCodeSuccess, 1, Lookup{"a.example", "A", "https", true}},
		{"a.example.", dnsmessage.TypeTXT, dnsmessage.RCodeSuccess, 0, Lookup{"a.example", "TXT", "https", true}},
		{"no.example.", dnsmessage.TypeA, dnsmessage.RCodeNameError, 0, Lookup{"no.example", "A", "https", false}},
	} {
		q := query(t, tt.name, tt.kind)
		for _, ask := range [][]string{
			{"POST https://dns.example/dns-query", "Content-Type: application/dns-message", "", string(q)},
			{"GET https://dns.example/dns-query?dns=" + base64.RawURLEncoding.EncodeToString(q)},
		} {
			a, told := asked(t, h, ask[0], ask[1:]...)
			code, answers := unpack(t, a.Body)
			if code != tt.code || answers != tt.answers || a.Kind() != "application/dns-message" {
				t.Errorf("%s: %v with %d answers", ask[0], code, answers)
			}
			if diff := cmp.Diff([]Observation{{Lookup: &tt.told}}, told); diff != "" {
				t.Error(diff)
			}
		}
	}
	a, told := asked(t, h, "GET https://dns.example/resolve?name=a.example&type=A")
	if !strings.Contains(string(a.Body), `"data":"192.0.2.9"`) || len(told) != 1 {
		t.Errorf("%s", a.Body)
	}
	if a, _ := asked(t, h, "POST https://dns.example/dns-query", "Content-Type: application/dns-message", "", "junk"); a.Status != 400 {
		t.Errorf("junk: %d", a.Status)
	}
	if a, _ := asked(t, h, "GET https://dns.example/resolve?name="+strings.Repeat("a", 300)); a.Status != 400 {
		t.Errorf("a long name: %d", a.Status)
	}
}

func TestDNSOverTLS(t *testing.T) {
	w := start(t, nil, "dns.example", portDoT)
	c, err := tls.Dial("tcp", w.addr, w.tlsConfig())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		q := query(t, "a.example.", dnsmessage.TypeA)
		c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(q))), q...))
		var size [2]byte
		io.ReadFull(c, size[:])
		p := make([]byte, binary.BigEndian.Uint16(size[:]))
		io.ReadFull(c, p)
		if code, answers := unpack(t, p); code != dnsmessage.RCodeSuccess || answers != 1 {
			t.Errorf("%v with %d answers", code, answers)
		}
	}
	io.WriteString(c, "\x00\x06SECRET and more")
	c.CloseWrite()
	io.Copy(io.Discard, c)
	c.Close()
	if end := w.end(t, 1)[0]; end.Service != "tls/dns" {
		t.Errorf("%+v", end)
	}
	if !strings.HasSuffix(w.all(""), "SECRET and more") {
		t.Errorf("sent: %q", w.all(""))
	}
}

// TestNotDNSOverTLS sends HTTP where DNS is expected.
func TestNotDNSOverTLS(t *testing.T) {
	w := start(t, nil, "dns.example", portDoT)
	resp, err := w.client(t, false).Get("https://dns.example:853/x")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if len(w.requests()) != 1 {
		t.Error("the request was not seen")
	}
}

func FuzzLookup(f *testing.F) {
	f.Add(query(f, "a.example.", dnsmessage.TypeA))
	f.Add(query(f, "no.example.", dnsmessage.TypeHTTPS))
	f.Add(bytes.Repeat([]byte{0xc0, 0x0c}, 30))
	s := &session{h: New(testOptions(f)), v: &Visit{}}
	f.Fuzz(func(t *testing.T, p []byte) {
		if reply := s.resolver().Message(p, "tls"); reply != nil {
			var m dnsmessage.Message
			if err := m.Unpack(reply); err != nil {
				t.Error(err)
			}
		}
	})
}
