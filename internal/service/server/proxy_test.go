package server

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

func TestParseProxies(t *testing.T) {
	for list, want := range map[string]string{
		"": "[]", " , ,": "[]", "192.0.2.1": "[192.0.2.1/32]", "10.0.0.0/8, 2001:db8::/32,::1": "[10.0.0.0/8 2001:db8::/32 ::1/128]",
		"::ffff:192.0.2.1": "[192.0.2.1/32]", "::ffff:10.0.0.0/104": "[10.0.0.0/8]",
	} {
		got, err := ParseProxies(list)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v, want %s", list, got, err, want)
		}
	}
	for list, want := range map[string]string{
		"0.0.0.0/0": "every address", "::/0": "every address", "::ffff:0.0.0.0/96": "every address", "10.0.0.1/8": "write 10.0.0.0/8 or 10.0.0.1", "10.0.0.0/33": "not an address",
		"x": "not an address", "fe80::1%eth0": "not an address", "10.0.0.0/8 10.1.0.0/16": "not an address", "10.0.0.1:80": "not an address", strings.Repeat("1", 1<<20): "not an address",
	} {
		got, err := ParseProxies(list)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.40q: %v, %v, want an error with %q", list, got, err, want)
		}
	}
}

// trusted are the proxies of most tests.
func trusted(t testing.TB) Proxies {
	t.Helper()
	p, err := ParseProxies("10.0.0.0/8,2001:db8:ffff::/48,fe80::/10")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestClient(t *testing.T) {
	long := strings.Repeat("192.0.2.66, ", 1<<20/12)
	for name, tt := range map[string]struct {
		peer string
		said []string
		want string
	}{
		"nobody between":          {"192.0.2.1:1", nil, "192.0.2.1"},
		"somebody spoofs":         {"192.0.2.1:1", []string{"198.51.100.7"}, "192.0.2.1"},
		"spoofs a proxy":          {"192.0.2.1:1", []string{"198.51.100.7, 10.0.0.1"}, "192.0.2.1"},
		"a proxy":                 {"10.0.0.1:1", []string{"198.51.100.7"}, "198.51.100.7"},
		"a silent proxy":          {"10.0.0.1:1", nil, "10.0.0.1"},
		"spoofs behind a proxy":   {"10.0.0.1:1", []string{"203.0.113.9, 127.0.0.1, 198.51.100.7"}, "198.51.100.7"},
		"names a proxy behind it": {"10.0.0.1:1", []string{"203.0.113.9, 10.0.0.2, 198.51.100.7"}, "198.51.100.7"},
		"two proxies":             {"10.0.0.1:1", []string{"203.0.113.9, 198.51.100.7,10.0.0.2"}, "198.51.100.7"},
		"several headers":         {"10.0.0.1:1", []string{"203.0.113.9", "198.51.100.7, 10.0.0.3", "10.0.0.2"}, "198.51.100.7"},
		"all are proxies":         {"10.0.0.1:1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		"empty":                   {"10.0.0.1:1", []string{""}, "10.0.0.1"},
		"unknown":                 {"10.0.0.1:1", []string{"203.0.113.9, unknown"}, "10.0.0.1"},
		"nothing at the end":      {"10.0.0.1:1", []string{"203.0.113.9, "}, "10.0.0.1"},
		"an empty header":         {"10.0.0.1:1", []string{"203.0.113.9", ""}, "10.0.0.1"},
		"garbage behind a proxy":  {"10.0.0.1:1", []string{"\x00\xff<script>, 10.0.0.2"}, "10.0.0.2"},
		"a port":                  {"10.0.0.1:1", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		"brackets":                {"10.0.0.1:1", []string{"[2001:db8::7]"}, "2001:db8::/64"},
		"brackets and a port":     {"10.0.0.1:1", []string{"[2001:db8::7]:443"}, "2001:db8::/64"},
		"no brackets":             {"10.0.0.1:1", []string{"2001:db8::7"}, "2001:db8::/64"},
		"a zone":                  {"10.0.0.1:1", []string{"2001:db8::7%eth0"}, "2001:db8::/64"},
		"brackets and a zone":     {"10.0.0.1:1", []string{"[2001:db8::7%eth0]:443"}, "2001:db8::/64"},
		"half a bracket":          {"10.0.0.1:1", []string{"[2001:db8::7"}, "10.0.0.1"},
		"a long zone":             {"10.0.0.1:1", []string{"2001:db8::7%" + strings.Repeat("x", 1<<16)}, "10.0.0.1"},
		"a quoted one":            {"10.0.0.1:1", []string{`"198.51.100.7"`}, "10.0.0.1"},
		"a network":               {"10.0.0.1:1", []string{"198.51.100.0/24"}, "10.0.0.1"},
		"a mapped one":            {"10.0.0.1:1", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		"a mapped proxy":          {"[::ffff:10.0.0.1]:1", []string{"203.0.113.9, 198.51.100.7, ::ffff:10.0.0.2"}, "198.51.100.7"},
		"a mapped spoofer":        {"[::ffff:192.0.2.1]:1", []string{"198.51.100.7"}, "192.0.2.1"},
		"a proxy by IPv6":         {"[2001:db8:ffff::1]:1", []string{"198.51.100.7"}, "198.51.100.7"},
		"a proxy with a zone":     {"[fe80::1%eth0]:1", []string{"198.51.100.7"}, "198.51.100.7"},
		"a peer with a zone":      {"[2001:db8::1%eth0]:1", []string{"198.51.100.7"}, "2001:db8::/64"},
		"a peer of IPv6":          {"[2001:db8::1:2:3:4]:5", nil, "2001:db8::/64"},
		"no address":              {"@", []string{"198.51.100.7"}, "@"},
		"a megabyte":              {"10.0.0.1:1", []string{long + "198.51.100.7"}, "198.51.100.7"},
		"a megabyte of one":       {"10.0.0.1:1", []string{strings.Repeat("1", 1<<20)}, "10.0.0.1"},
		"a megabyte of commas":    {"10.0.0.1:1", []string{strings.Repeat(",", 1<<20)}, "10.0.0.1"},
		"no end of proxies":       {"10.0.0.1:1", []string{"198.51.100.7" + strings.Repeat(",10.0.0.2", 1<<17)}, "10.0.0.2"},
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{"X-Forwarded-For": tt.said, "Forwarded": {"for=203.0.113.66"}, "X-Real-Ip": {"203.0.113.67"}}}
		kept := r.Header.Clone()
		if got := trusted(t).clientName(r); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		if d := cmp.Diff(kept, r.Header); d != "" {
			t.Errorf("%s: the request is another one: %.200s", name, d)
		}
		var nobody Proxies
		bare := &http.Request{RemoteAddr: tt.peer, Header: http.Header{}}
		if got, want := nobody.clientName(r), nobody.clientName(bare); got != want {
			t.Errorf("%s: with nobody to believe %s, want %s", name, got, want)
		}
	}
}

// An untrusted peer is the client, whatever the header says. Behind a proxy the
// last entry decides.
func FuzzClient(f *testing.F) {
	for _, said := range []string{"", "198.51.100.7", "[2001:db8::1%a]:1, 10.0.0.1", ",,,", "10.0.0.1:x", "\x00", "::ffff:10.0.0.1", "fe80::1%25"} {
		f.Add(said)
	}
	proxies := trusted(f)
	f.Fuzz(func(t *testing.T, said string) {
		client := func(peer, said string) netip.Addr {
			addr, ok := proxies.client(&http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": {said}}})
			if !ok || !addr.IsValid() || addr.Zone() != "" || addr.Is4In6() {
				t.Errorf("%s, %q: %v, %v", peer, said, addr, ok)
			}
			return addr
		}
		if got := client("192.0.2.1:1", said); got.String() != "192.0.2.1" {
			t.Errorf("%q: a stranger is %s", said, got)
		}
		if got := client("10.0.0.1:1", said+", 198.51.100.7"); got.String() != "198.51.100.7" {
			t.Errorf("%q: the client of a proxy is %s", said, got)
		}
		client("10.0.0.1:1", said)
	})
}

func TestSecure(t *testing.T) {
	for name, tt := range map[string]struct {
		peer, host string
		said       []string
		want       bool
	}{
		"plain":                  {"192.0.2.1:1", "localhost", nil, false},
		"somebody says so":       {"192.0.2.1:1", "localhost", []string{"https"}, false},
		"a proxy":                {"10.0.0.1:1", "localhost", []string{"https"}, true},
		"a proxy in capitals":    {"[::ffff:10.0.0.1]:1", "localhost", []string{" HTTPS "}, true},
		"a proxy without":        {"10.0.0.1:1", "localhost", []string{"http"}, false},
		"a proxy says nothing":   {"10.0.0.1:1", "localhost", nil, false},
		"the client made it up":  {"10.0.0.1:1", "localhost", []string{"https, http"}, false},
		"in a header of its own": {"10.0.0.1:1", "localhost", []string{"https", "http"}, false},
		"the last one":           {"10.0.0.1:1", "localhost", []string{"http", "http,https"}, true},
		"no address":             {"@", "localhost", []string{"https"}, false},
		"by its name":            {"192.0.2.1:1", "MCPSF.example:443", nil, true},
		"by another":             {"192.0.2.1:1", "other.example", nil, false},
	} {
		s := &Sessions{proxies: trusted(t), https: true, hosts: hostNames([]string{"mcpsf.example"})}
		if got := s.overTLS(&http.Request{RemoteAddr: tt.peer, Host: tt.host, Header: http.Header{"X-Forwarded-Proto": tt.said}}); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// A guessing client behind a proxy is stopped alone, and cannot evade that by headers.
func TestGuessingBehindProxy(t *testing.T) {
	now := time.Now()
	for name, tt := range map[string]struct {
		proxies string
		// other is the status that another client gets meanwhile.
		other int
	}{
		"trusted": {"127.0.0.1", http.StatusUnauthorized}, "not trusted": {"", http.StatusTooManyRequests},
	} {
		tweak := func(_ *Server, o *Options) {
			o.Limits.SignIns, o.Now = 3, func() time.Time { return now }
			o.Public.Proxies, _ = ParseProxies(tt.proxies)
		}
		t.Run(name, func(t *testing.T) {
			eachWith(t, tweak, func(w *world) {
				guess := func(from string) int {
					_, text, _ := NewKey("alpha", "", job.Admin)
					return w.ask("", "GET", "/api/v1/jobs", nil, header{"Authorization", "Bearer " + text}, header{"X-Forwarded-For", from}).StatusCode
				}
				for i := range 3 {
					if got := guess(fmt.Sprintf("203.0.113.%d, 198.51.100.7", i)); got != http.StatusUnauthorized {
						t.Errorf("guess %d: %d", i, got)
					}
				}
				if got := guess("203.0.113.99, 198.51.100.7"); got != http.StatusTooManyRequests {
					t.Errorf("one guess too many: %d", got)
				}
				if got := guess("198.51.100.8"); got != tt.other {
					t.Errorf("somebody else: %d, want %d", got, tt.other)
				}
			})
		})
	}
}

// A header of a megabyte is refused before it is read completely.
func TestHugeHeader(t *testing.T) {
	tweak := func(_ *Server, o *Options) { o.Public.Proxies, _ = ParseProxies("127.0.0.1") }
	eachWith(t, tweak, func(w *world) {
		conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		go fmt.Fprint(conn, "GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: "+strings.Repeat("192.0.2.1, ", 1<<20/11)+"192.0.2.1\r\n\r\n")
		if line, _ := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, " 431 ") {
			t.Errorf("%q, want 431", line)
		}
	})
}
