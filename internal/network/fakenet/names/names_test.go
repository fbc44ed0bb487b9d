package names

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"
)

func ask(t testing.TB, b *Directory, name string, kind dnsmessage.Type) (*dnsmessage.Message, []Question) {
	t.Helper()
	n, err := dnsmessage.NewName(name + ".")
	if err != nil {
		t.Fatal(err)
	}
	q := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: 7, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: n, Type: kind, Class: dnsmessage.ClassINET}},
	}
	packed, err := q.Pack()
	if err != nil {
		t.Fatal(err)
	}
	reply, asked := b.Answer(packed, 512)
	var m dnsmessage.Message
	if err := m.Unpack(reply); err != nil {
		t.Fatal(err)
	}
	if m.ID != 7 || !m.Response || !m.RecursionAvailable {
		t.Errorf("the header is %+v", m.Header)
	}
	return &m, asked
}

func TestEveryNameHasItsAddress(t *testing.T) {
	b := New(1, nil, true)
	seen := map[netip.Addr]string{}
	for _, name := range []string{"api.github.com", "GitHub.com", "github.com", "a.b.example", "x.test", "data.1a2b3c4d5e6f.tunnel.example"} {
		for _, find := range []func(string) (netip.Addr, bool){b.Address4, b.Address6} {
			a, ok := find(name)
			if !ok || !a.IsGlobalUnicast() || a.IsPrivate() {
				t.Fatalf("%s has the address %v, %v", name, a, ok)
			}
			if other := seen[a]; other != "" && other != strings.ToLower(name) {
				t.Errorf("%s and %s share %v", name, other, a)
			}
			seen[a] = strings.ToLower(name)
			if got := b.Name(a); got != strings.ToLower(name) {
				t.Errorf("%v leads back to %q, want %q", a, got, name)
			}
			again, _ := New(1, nil, true).Address4(name)
			if a.Is4() && again != a {
				t.Errorf("%s has another address with the same seed", name)
			}
		}
	}
}

func TestWhatExists(t *testing.T) {
	b := New(1, map[string]netip.Addr{"packages.lan": netip.MustParseAddr("192.168.1.10")}, true)
	closed := New(1, map[string]netip.Addr{"packages.lan": netip.MustParseAddr("192.168.1.10")}, false)
	for name, want := range map[string]bool{
		"packages.lan": true, "PACKAGES.lan.": true, "localhost": true, "metadata.google.internal": true,
		"www.wikipedia.org": true, "evil.example": true, "evil.test": true, "raw.githubusercontent.com": true,
		"stackoverflow.com": true, "elasticsearch.co": true, "modelcontextprotocol.io": true, "openstreetmap.org": true,
		"xn--bcher-kva.example": true, "s3.us-east-1.amazonaws.com": true, "d111111abcdef8.cloudfront.net": true,
		"thisisaverylongcompanyname.com": true, "a-b-c-d-e-f-1-2-3.dev": true, "1password.com": true, "0x0.st": true,
		"nothing.invalid": false, "printer.local": false, "server": false, "x.notatopleveldomain": false,
		"kq3j9x8f7h2w.com": false, "xkjwqhzrtpvb.net": false, "a7b8c9d0e1f2.org": false, "co.uk": false, "": false, "a..com": false,
		strings.Repeat("a", 64) + ".com": false,
	} {
		if got := b.Exists(name); got != want {
			t.Errorf("%q exists: %v, want %v", name, got, want)
		}
	}
	if closed.Exists("www.wikipedia.org") || !closed.Exists("packages.lan") {
		t.Error("a closed directory knows only its own names")
	}
}

func TestRecords(t *testing.T) {
	b := New(1, nil, true)
	a4, _ := b.Address4("www.shop.example")
	a6, _ := b.Address6("www.shop.example")
	for _, tt := range []struct {
		name string
		kind dnsmessage.Type
		want string
	}{
		{"www.shop.example", dnsmessage.TypeA, a4.String()},
		{"www.shop.example", dnsmessage.TypeAAAA, a6.String()},
		{"www.shop.example", dnsmessage.TypeMX, "mx1.shop.example."},
		{"www.shop.example", dnsmessage.TypeTXT, "v=spf1 include:_spf.shop.example ~all"},
		{"_imaps._tcp.shop.example", dnsmessage.TypeSRV, "shop.example.:993"},
		{"www.shop.example", dnsmessage.Type(65), ""},
		{reverse4(a4), dnsmessage.TypePTR, "www.shop.example."},
		{reverse6(a6), dnsmessage.TypePTR, "www.shop.example."},
		{"metadata.google.internal", dnsmessage.TypeA, "169.254.169.254"},
	} {
		m, asked := ask(t, b, tt.name, tt.kind)
		if got := text(m); got != tt.want || m.RCode != dnsmessage.RCodeSuccess || !asked[0].Found {
			t.Errorf("%s %v: %q, %v, want %q", tt.name, tt.kind, got, m.RCode, tt.want)
		}
	}
	m, asked := ask(t, b, "qqxzjkwvbnml.com", dnsmessage.TypeA)
	if diff := cmp.Diff([]Question{{Name: "qqxzjkwvbnml.com", Type: "A"}}, asked); diff != "" || m.RCode != dnsmessage.RCodeNameError || len(m.Authorities) != 1 {
		t.Errorf("a name that nobody has: %v %s", m.GoString(), diff)
	}
}

func reverse4(a netip.Addr) string {
	b := a.As4()
	return netip.AddrFrom4([4]byte{b[3], b[2], b[1], b[0]}).String() + ".in-addr.arpa"
}

func reverse6(a netip.Addr) string {
	const hex = "0123456789abcdef"
	var s strings.Builder
	b := a.As16()
	for i := 15; i >= 0; i-- {
		s.WriteString(string(hex[b[i]&15]) + "." + string(hex[b[i]>>4]) + ".")
	}
	return s.String() + "ip6.arpa"
}

func text(m *dnsmessage.Message) string {
	if len(m.Answers) == 0 {
		return ""
	}
	switch r := m.Answers[0].Body.(type) {
	case *dnsmessage.AResource:
		return netip.AddrFrom4(r.A).String()
	case *dnsmessage.AAAAResource:
		return netip.AddrFrom16(r.AAAA).String()
	case *dnsmessage.MXResource:
		return r.MX.String()
	case *dnsmessage.TXTResource:
		return strings.Join(r.TXT, "")
	case *dnsmessage.PTRResource:
		return r.PTR.String()
	case *dnsmessage.SRVResource:
		return fmt.Sprint(r.Target, ":", r.Port)
	}
	return "?"
}

// A client asks for more names than can be remembered.
func TestManyNames(t *testing.T) {
	b := New(1, nil, true)
	b.addresses = make(map[string]netip.Addr, maxNames)
	for i := range maxNames {
		b.addresses[strings.Repeat("x", i%50)+string(rune(i))] = netip.Addr{}
	}
	if a, ok := b.Address4("late.example"); !ok || !a.IsValid() {
		t.Error("a late name has no address")
	}
}

func FuzzAnswer(f *testing.F) {
	n := dnsmessage.MustNewName("a.example.")
	q := dnsmessage.Message{Questions: []dnsmessage.Question{{Name: n, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}}}
	packed, _ := q.Pack()
	f.Add(packed)
	f.Add([]byte("\x00\x00\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\xc0\x0c\x00\x01\x00\x01"))
	b := New(1, nil, true)
	f.Fuzz(func(t *testing.T, query []byte) {
		reply, asked := b.Answer(query, 512)
		if len(reply) > 512 || len(asked) > 1 {
			t.Errorf("%d bytes for %d questions", len(reply), len(asked))
		}
		var m dnsmessage.Message
		if reply != nil && m.Unpack(reply) != nil {
			t.Errorf("the reply %x makes no sense", reply)
		}
	})
}

func TestSteer(t *testing.T) {
	inside := netip.MustParseAddr("127.8.9.10")
	b := New(1, nil, true)
	b.Steer(func(name string, nth int) (netip.Addr, bool) {
		return inside, name == "inside.a.example" || name == "later.a.example" && nth > 0
	})
	ask := func(name string) netip.Addr {
		a, _ := b.Address4(name)
		return a
	}
	if got := ask("inside.a.example"); got != inside {
		t.Errorf("the steered name has %v", got)
	}
	if _, ok := b.Address6("inside.a.example"); ok {
		t.Error("the steered name has an address of the other kind")
	}
	first, second := ask("Later.a.example."), ask("later.a.example")
	if first == inside || second != inside {
		t.Errorf("a name that leads elsewhere later has %v and then %v", first, second)
	}
	if ask("other.a.example") == inside {
		t.Error("another name is steered")
	}
}
